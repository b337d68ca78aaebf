import Bytes

/// What one link may bring without having been asked, and for how long it has brought more.
struct InboundBudget: Sendable {
    /// What became of an envelope that nobody asked for.
    enum Verdict: Equatable, Sendable {
        case taken
        case refused
        /// Refused, and this has gone on for so long that the neighbour is to be parted from.
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

    /// Probes have a rate of their own; an honest neighbour passes on those of many, so too many are no abuse.
    mutating func takeProbe(now: MeshInstant) -> Verdict {
        probes.take(now: now) ? .taken : .refused
    }

    /// Takes a first message within its own rate of this link and the rate of all links, then within that of envelopes.
    ///
    /// Too many of them are no abuse: an honest neighbour passes on those of many.
    mutating func takeFirstMessage(byteCount: Int, ofAll all: inout TokenBucket, now: MeshInstant) -> Verdict {
        guard max(firstMessages.nextToken, all.nextToken) <= now else { return .refused }
        let verdict = take(byteCount: byteCount, now: now)
        guard verdict == .taken else { return verdict }
        firstMessages.spend(now: now)
        all.spend(now: now)
        return .taken
    }
}
