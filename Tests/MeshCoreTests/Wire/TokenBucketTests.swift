import Bytes
import MeshCore
import Testing

@Suite("Token buckets")
struct TokenBucketTests {
    private func count(_ bucket: TokenBucket, now: MeshInstant) -> Int {
        var bucket = bucket
        var count = 0
        while bucket.take(now: now) { count += 1 }
        return count
    }

    @Test("A bucket that is emptied but for some tokens has these, and goes on at its rate")
    func leaving() {
        let now = MeshInstant.zero.advanced(by: .seconds(5))
        var bucket = TokenBucket(rate: 10, burst: 8)
        bucket.leave(3, at: now.nanoseconds)
        #expect(count(bucket, now: now) == 3)
        #expect(count(bucket, now: now.advanced(by: .milliseconds(200))) == 5)
        bucket.leave(20, at: now.nanoseconds)
        #expect(count(bucket, now: now) == 3)
        bucket.leave(0, at: now.nanoseconds)
        #expect(count(bucket, now: now) == 0)
    }

    @Test("A bucket that gets another rate and burst is as far from being full as before, and never owes more for it")
    func adopting() {
        let now = MeshInstant.zero.advanced(by: .seconds(5))
        var bucket = TokenBucket(rate: 10, burst: 20)
        bucket.spend(20, now: now)
        bucket.adopt(TokenBucket(rate: 100, burst: 200), now: now)
        #expect(count(bucket, now: now) == 0)
        #expect(count(bucket, now: now.advanced(by: .seconds(1))) == 100)
        bucket.adopt(TokenBucket(rate: 10, burst: 4), now: now)
        #expect(count(bucket, now: now.advanced(by: .milliseconds(400))) == 4)
    }

    @Test("A bucket gains in a time what its rate says, at most a burst, and nothing overflows")
    func gain() {
        let bucket = TokenBucket(rate: 10, burst: 8)
        #expect([0, 99_999_999, 500_000_000, .max].map { bucket.gain(inNanoseconds: $0) } == [0, 0, 5, 8])
        var begun = bucket
        begun.leaveGain(of: .milliseconds(500), least: 2, now: .zero)
        #expect(count(begun, now: .zero) == 5)
        begun = bucket
        begun.leaveGain(of: .milliseconds(100), least: 2, now: .zero)
        #expect(count(begun, now: .zero) == 2)
    }

    @Test("A bucket owes no more than its limit")
    func debt() {
        let now = MeshInstant.zero.advanced(by: .seconds(5))
        var bucket = TokenBucket(rate: 10, burst: 8)
        bucket.spend(100, now: now)
        bucket.limitDebt(to: 8, now: now)
        #expect(count(bucket, now: now.advanced(by: .milliseconds(800))) == 0)
        #expect(count(bucket, now: now.advanced(by: .milliseconds(1_600))) == 8)
    }
}
