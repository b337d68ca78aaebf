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
}

/// The unused part of an envelope rate: a bucket of envelopes and one of bytes.
///
/// Both must have enough tokens.
struct EnvelopeBudget: Sendable {
    private var envelopes: TokenBucket
    private var bytes: TokenBucket

    /// Creates a budget with all its tokens.
    init(_ rate: EnvelopeRate) {
        envelopes = TokenBucket(rate: rate.count, burst: rate.countBurst)
        bytes = TokenBucket(rate: rate.bytes, burst: rate.byteBurst)
    }

    /// Creates a budget with what it gains in a time, so that whoever links again and again gains nothing.
    init(_ rate: EnvelopeRate, saved time: Duration, now: MeshInstant) {
        self.init(rate)
        envelopes.leaveGain(of: time, least: 1, now: now)
        bytes.leaveGain(of: time, least: Envelope.maximumByteCount, now: now)
    }

    /// Changes the rate to the part of each of `number` equal parties, without new tokens.
    mutating func change(to rate: EnvelopeRate, sharedBy number: Int, now: MeshInstant) {
        let countInterval = 1_000_000_000 * UInt64(number) / UInt64(rate.count)
        envelopes.adopt(TokenBucket(interval: countInterval, burst: max(1, rate.countBurst / number)), now: now)
        let byteInterval = 1_000_000_000 * UInt64(number) / UInt64(rate.bytes)
        let byteBurst = max(rate.byteBurst / number, Envelope.maximumByteCount)
        bytes.adopt(TokenBucket(interval: byteInterval, burst: byteBurst), now: now)
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

    /// Takes the tokens for an envelope that passes for another reason; what is owed then is at most a whole burst.
    mutating func spend(byteCount: Int, now: MeshInstant) {
        envelopes.spend(now: now)
        bytes.spend(byteCount, now: now)
        envelopes.limitDebt(to: envelopes.burst, now: now)
        bytes.limitDebt(to: bytes.burst, now: now)
    }
}
