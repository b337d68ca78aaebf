/// The state of the comparison of the stores at a link's two ends.
///
/// The end that dialled asks. The other end streams the code of its store until the asking end knows the difference.
struct LinkComparison: Sendable {
    /// The summaries of both ends at one moment.
    struct Summaries: Equatable, Sendable {
        let own: StoreSummary
        let remote: StoreSummary

        /// The places in which they differ; nil if nowhere.
        var difference: Shelf? { own.difference(to: remote) }
    }

    /// A comparison that this end began.
    struct Asking: Sendable {
        let salt: UInt64
        /// The places of what is compared.
        let range: Shelf
        var decoder: SymbolDecoder
        /// The symbols that arrived before earlier ones, by position.
        var early: [Int: [CodedSymbol]] = [:]
        /// The store position from which envelopes are not part of the comparison.
        let end: UInt64
    }

    /// A comparison that the neighbour began.
    struct Answering: Sendable {
        let salt: UInt64
        var encoder: SymbolEncoder
        /// The position before which symbols must be sent.
        var end: Int
        /// The message that the full lane refused.
        var refused: [UInt8]?

        /// Returns the next message with requested symbols; nil if there is none.
        mutating func nextMessage() -> [UInt8]? {
            if let message = refused {
                refused = nil
                return message
            }
            let place = encoder.symbolCount
            let count = min(SyncMessage.symbolLimit, end - place)
            guard count > 0 else { return nil }
            let symbols = (0..<count).compactMap { _ in encoder.next() }
            return SyncMessage.symbols(salt: salt, place: UInt16(place), symbols).encoded()
        }
    }

    /// Whether this end begins comparisons.
    let asks: Bool
    /// The earliest time of the first comparison.
    let first: MeshInstant
    /// The time at which this end began the last comparison.
    private(set) var lastBegan: MeshInstant?
    /// The earliest time of the next comparison.
    var next: MeshInstant
    /// The time between the next comparison and the one after it.
    var interval: Duration
    /// The time since which both ends' summaries have differed; nil while they do not.
    private(set) var differsSince: MeshInstant?
    /// The current summaries of both stores, and the time since which they have been the same.
    private(set) var present: (summaries: Summaries, since: MeshInstant)?
    /// The summaries of both stores at the last comparison.
    var last: Summaries?
    /// Whether the stores differed when the link came up, so that what differs is no new mail under way.
    var differedAtFirst = false
    /// Whether the next comparison is worth it although neither store has changed since the last.
    var isUnfinished = false
    /// An envelope that the last comparisons brought and that was stored, and the time.
    ///
    /// It shows later whether what they bring lasts.
    private var brought: (shortID: UInt64, time: MeshInstant)?
    var asking: Asking?
    var answering: Answering?
    /// The time at which the last symbols requested by this end arrived; the distant future if it requests none.
    var lastSymbols = MeshInstant.distantFuture
    /// The time at which the neighbour last requested symbols; the distant future if it requests none.
    var lastAsk = MeshInstant.distantFuture
    /// The time before which the neighbour may not begin another comparison.
    var nextAnswer: MeshInstant

    init(asks: Bool, configuration: RouterConfiguration, now: MeshInstant) {
        self.asks = asks
        first = now.advanced(by: configuration.comparisonDelay)
        next = first
        interval = configuration.comparisonInterval
        nextAnswer = now
    }

    /// Records the summaries of both ends' stores.
    mutating func note(own: StoreSummary, remote: StoreSummary?, now: MeshInstant) {
        guard let remote, own.difference(to: remote) != nil else {
            differsSince = nil
            present = nil
            return
        }
        if differsSince == nil { differsSince = now }
        let summaries = Summaries(own: own, remote: remote)
        if present?.summaries != summaries { present = (summaries, now) }
    }

    /// Discards the comparison that this end began.
    mutating func endAsking() {
        asking = nil
        lastSymbols = .distantFuture
    }

    /// Discards the comparison that the neighbour began.
    mutating func endAnswering() {
        answering = nil
        lastAsk = .distantFuture
    }

    /// Records an envelope that a comparison brought and that the store took.
    mutating func noteBrought(_ shortID: UInt64, now: MeshInstant) {
        if brought == nil { brought = (shortID, now) }
    }

    /// Has the next comparison wait, since the neighbour answers no second question so soon.
    mutating func postpone(until time: MeshInstant) { next = max(next, time) }

    /// Records the start of a comparison.
    ///
    /// Each one doubles the time to the next. That time is short again once something that was brought has stayed: two
    /// stores that take from each other what they drop at once would else compare for ever.
    mutating func begin(
        _ summaries: Summaries,
        in store: EnvelopeStore,
        configuration: RouterConfiguration,
        now: MeshInstant
    ) {
        interval = last == nil ? interval : min(interval * 2, configuration.maximumComparisonInterval)
        if let (shortID, time) = brought, time.advanced(by: configuration.lastingTime) <= now {
            if store[shortID] != nil { interval = configuration.comparisonInterval }
            brought = nil
        }
        next = now.advanced(by: interval)
        lastBegan = now
        last = summaries
        isUnfinished = false
    }
}
