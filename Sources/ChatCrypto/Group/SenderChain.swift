/// A sender's chain of message keys, which goes forward only.
///
/// Source: PROTOCOL §16, with the steps of §8.
struct SenderChain: Sendable {
    private(set) var chainKey: SecretBytes
    /// The iteration of the next message.
    private(set) var next: UInt32

    init(chainKey: SecretBytes, next: UInt32) {
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
