/// One direction's chain of message keys, with the key that opens its headers.
///
/// Source: PROTOCOL §8.
struct RatchetChain: Sendable {
    /// Counts the receiving chains of a session, so that skipped keys know where they belong; 0 for sending chains.
    let ordinal: UInt32
    let headerKey: SecretBytes
    private(set) var chainKey: SecretBytes
    /// The number of the next message.
    private(set) var next: UInt32

    /// Starts a chain, or takes up a stored one.
    init(ordinal: UInt32 = 0, headerKey: SecretBytes, chainKey: SecretBytes, next: UInt32 = 0) {
        self.ordinal = ordinal
        self.headerKey = headerKey
        self.chainKey = chainKey
        self.next = next
    }

    /// The next message's key; the chain cannot give it again.
    mutating func advance() -> SecretBytes {
        let messageKey = HMACSHA256.secretCode([1], key: chainKey)
        chainKey = HMACSHA256.secretCode([2], key: chainKey)
        next += 1
        return messageKey
    }
}
