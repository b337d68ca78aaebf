import Bytes

/// A rate limit for envelopes: their number and their bytes.
///
/// Source: PROTOCOL §5 flooding and store, §12 constants.
package struct EnvelopeRate: Sendable, Equatable {
    /// The steady number of envelopes.
    ///
    /// Units: envelopes per second.
    package var count: Int
    /// The number of envelopes at once after a pause.
    package var countBurst: Int
    /// The steady size.
    ///
    /// Units: bytes per second.
    package var bytes: Int
    /// The size at once after a pause; never less than the largest envelope.
    ///
    /// Units: bytes.
    package var byteBurst: Int

    /// Creates a rate.
    package init(count: Int, countBurst: Int, bytes: Int, byteBurst: Int) {
        self.count = count
        self.countBurst = countBurst
        self.bytes = bytes
        self.byteBurst = max(byteBurst, Envelope.maximumByteCount)
    }

    /// Returns the part of the rate for each of `number` equal parties.
    func share(among number: Int) -> EnvelopeRate {
        EnvelopeRate(
            count: max(1, count / number),
            countBurst: max(1, countBurst / number),
            bytes: max(1, bytes / number),
            byteBurst: byteBurst / number
        )
    }
}

/// The unused part of an envelope rate: a bucket of envelopes and one of bytes.
///
/// Both must have enough tokens.
struct EnvelopeBudget: Sendable {
    private var envelopes: TokenBucket
    private var bytes: TokenBucket

    init(_ rate: EnvelopeRate) {
        envelopes = TokenBucket(rate: rate.count, burst: rate.countBurst)
        bytes = TokenBucket(rate: rate.bytes, burst: rate.byteBurst)
    }

    /// Returns the time at which an envelope of this size may pass; in the past if it may pass now.
    func nextTurn(byteCount: Int) -> MeshInstant {
        max(envelopes.nextToken, bytes.nextTokens(byteCount))
    }

    /// Takes the tokens for an envelope of this size; returns false and changes nothing if it may not pass yet.
    mutating func take(byteCount: Int, now: MeshInstant) -> Bool {
        guard nextTurn(byteCount: byteCount) <= now else { return false }
        spend(byteCount: byteCount, now: now)
        return true
    }

    /// Takes the tokens for an envelope that passes for another reason.
    mutating func spend(byteCount: Int, now: MeshInstant) {
        envelopes.spend(now: now)
        bytes.spend(byteCount, now: now)
    }
}
