import Bytes

/// The limit on the unrequested envelopes of one link, with the time for which the link has exceeded it.
struct InboundBudget: Sendable {
    /// The decision about an unrequested envelope.
    enum Verdict: Equatable, Sendable {
        case taken
        case refused
        /// The envelope is refused, and the excess has lasted so long that the link to the neighbour must end.
        case abused
    }

    private let excessLimit: Duration
    private let excessPause: Duration
    private var budget: EnvelopeBudget
    private var probes: TokenBucket
    private var firstMessages: TokenBucket
    private var firstExcess: MeshInstant?
    private var lastExcess = MeshInstant.zero

    init(_ configuration: RouterConfiguration) {
        excessLimit = configuration.excessLimit
        excessPause = configuration.excessPause
        budget = EnvelopeBudget(configuration.inboundRate)
        probes = TokenBucket(rate: configuration.probeRate, burst: configuration.probeBurst)
        firstMessages = TokenBucket(rate: configuration.firstMessageRate, burst: configuration.firstMessageBurst)
    }

    mutating func take(byteCount: Int, now: MeshInstant) -> Verdict {
        guard !budget.take(byteCount: byteCount, now: now) else { return .taken }
        let isContinued = now < lastExcess.advanced(by: excessPause)
        let first = isContinued ? firstExcess ?? now : now
        lastExcess = now
        guard first.advanced(by: excessLimit) <= now else {
            firstExcess = first
            return .refused
        }
        firstExcess = now
        return .abused
    }

    /// Checks a probe against the separate rate of probes.
    ///
    /// An honest neighbour forwards the probes of many nodes, so an excess is not abuse.
    mutating func takeProbe(now: MeshInstant) -> Verdict {
        probes.take(now: now) ? .taken : .refused
    }

    /// Takes a first message within this link's own rate and the rate of all links, and then within the rate of
    /// envelopes.
    ///
    /// An excess of first messages is not abuse: an honest neighbour forwards those of many nodes.
    mutating func takeFirstMessage(byteCount: Int, ofAll all: inout TokenBucket, now: MeshInstant) -> Verdict {
        guard max(firstMessages.nextToken, all.nextToken) <= now else { return .refused }
        let verdict = take(byteCount: byteCount, now: now)
        guard verdict == .taken else { return verdict }
        firstMessages.spend(now: now)
        all.spend(now: now)
        return .taken
    }
}
