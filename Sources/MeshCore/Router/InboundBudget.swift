import Bytes

/// The limit on the unrequested envelopes of one link.
///
/// The rest is left unread. Nobody is disconnected for it: a new link would cost more than the refusals.
struct InboundBudget: Sendable {
    private var budget: EnvelopeBudget
    private var firstMessages: TokenBucket

    init(_ configuration: RouterConfiguration, now: MeshInstant) {
        budget = EnvelopeBudget(configuration.inboundRate, saved: configuration.inboundStart, now: now)
        firstMessages = TokenBucket(rate: configuration.firstMessageRate, burst: configuration.firstMessageBurst)
        firstMessages.leaveGain(
            of: configuration.inboundStart,
            least: configuration.firstMessageBurst / 2,
            now: now
        )
    }

    /// Takes an envelope of this size; returns false if it is too much.
    mutating func take(byteCount: Int, now: MeshInstant) -> Bool { budget.take(byteCount: byteCount, now: now) }

    /// Takes a first message within this link's own rate and the rate of all links, and then within the rate of
    /// envelopes.
    mutating func takeFirstMessage(byteCount: Int, ofAll all: inout TokenBucket, now: MeshInstant) -> Bool {
        guard max(firstMessages.nextToken, all.nextToken) <= now, take(byteCount: byteCount, now: now) else {
            return false
        }
        firstMessages.spend(now: now)
        all.spend(now: now)
        return true
    }
}
