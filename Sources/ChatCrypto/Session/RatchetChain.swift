/// The chain of message keys of one direction, with the key that opens its headers.
///
/// Source: PROTOCOL §8.
struct RatchetChain: Sendable {
    /// The number of this receiving chain in its session, to which skipped keys refer; 0 for sending chains.
    let ordinal: UInt32
    let headerKey: SecretBytes
    private(set) var chainKey: SecretBytes
    /// The number of the next message.
    private(set) var next: UInt32

    /// Starts a chain or restores a stored one.
    init(ordinal: UInt32 = 0, headerKey: SecretBytes, chainKey: SecretBytes, next: UInt32 = 0) {
        self.ordinal = ordinal
        self.headerKey = headerKey
        self.chainKey = chainKey
        self.next = next
    }

    /// Answers the key of the next message and moves past it; the chain cannot answer this key again.
    mutating func advance() -> SecretBytes {
        let messageKey = HMACSHA256.secretCode([1], key: chainKey)
        chainKey = HMACSHA256.secretCode([2], key: chainKey)
        next += 1
        return messageKey
    }
}
