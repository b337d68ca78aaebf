import Bytes

/// How many envelopes, and how many bytes of them, may pass.
///
/// Source: PROTOCOL §5 flooding and store, §12 constants.
package struct EnvelopeRate: Sendable, Equatable {
    /// Units: envelopes a second.
    package var count: Int
    /// Units: envelopes at once after a rest.
    package var countBurst: Int
    /// Units: bytes a second.
    package var bytes: Int
    /// Units: bytes at once after a rest; never less than the largest envelope.
    package var byteBurst: Int

    /// Makes a rate.
    package init(count: Int, countBurst: Int, bytes: Int, byteBurst: Int) {
        self.count = count
        self.countBurst = countBurst
        self.bytes = bytes
        self.byteBurst = max(byteBurst, Envelope.maximumByteCount)
    }

    /// The part of it that each of `number` equal parties has.
    func share(among number: Int) -> EnvelopeRate {
        EnvelopeRate(
            count: max(1, count / number),
            countBurst: max(1, countBurst / number),
            bytes: max(1, bytes / number),
            byteBurst: byteBurst / number
        )
    }
}

/// What is left of an envelope rate: a bucket of envelopes and one of bytes, and both must have enough.
struct EnvelopeBudget: Sendable {
    private var envelopes: TokenBucket
    private var bytes: TokenBucket

    init(_ rate: EnvelopeRate) {
        envelopes = TokenBucket(rate: rate.count, burst: rate.countBurst)
        bytes = TokenBucket(rate: rate.bytes, burst: rate.byteBurst)
    }

    /// When an envelope of this size may pass; past if it may at once.
    func nextTurn(byteCount: Int) -> MeshInstant {
        max(envelopes.nextToken, bytes.nextTokens(byteCount))
    }

    /// Lets an envelope of this size pass; false if it may not yet, and then nothing has changed.
    mutating func take(byteCount: Int, now: MeshInstant) -> Bool {
        guard nextTurn(byteCount: byteCount) <= now else { return false }
        spend(byteCount: byteCount, now: now)
        return true
    }

    /// Counts an envelope that passed on another ground.
    mutating func spend(byteCount: Int, now: MeshInstant) {
        envelopes.spend(now: now)
        bytes.spend(byteCount, now: now)
    }
}
