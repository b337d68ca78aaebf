/// Where the comparison of the stores at a link's two ends stands.
///
/// The end that dialled asks; the other streams the code of its store until the asker knows the difference.
struct LinkComparison: Sendable {
    /// Both ends' summaries at one moment.
    struct Summaries: Equatable, Sendable {
        let own: StoreSummary
        let remote: StoreSummary
    }

    /// A comparison that this end began.
    struct Asking: Sendable {
        let salt: UInt64
        var decoder: SymbolDecoder
        /// Symbols that came before those ahead of them, by their place.
        var early: [Int: [CodedSymbol]] = [:]
        /// Envelopes from this place in the store on are not in the comparison.
        let end: UInt64
    }

    /// A comparison that the neighbour began.
    struct Answering: Sendable {
        let salt: UInt64
        var encoder: SymbolEncoder
        /// The place before which symbols are to be sent.
        var end: Int
        /// A message that the full lane refused.
        var refused: [UInt8]?

        /// The next message with symbols that were asked for; nil if there is none.
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
    /// When the first comparison may be.
    let first: MeshInstant
    /// When the next one may be.
    var next: MeshInstant
    /// How long after that one the next but one is.
    var interval: Duration
    /// Since when both ends' summaries have differed; nil while they do not.
    private(set) var differsSince: MeshInstant?
    /// How both stores are, and since when.
    private(set) var present: (summaries: Summaries, since: MeshInstant)?
    /// How both stores were at the last comparison.
    var last: Summaries?
    /// Whether anything was asked for, either way, since the last comparison.
    var hasMoved = false
    var asking: Asking?
    var answering: Answering?
    /// When the last symbols came that this end asked for; never, when it asks for none.
    var lastSymbols = MeshInstant.distantFuture
    /// When the neighbour last asked for symbols; never, when it asks for none.
    var lastAsk = MeshInstant.distantFuture
    /// Before this the neighbour may not begin another.
    var nextAnswer: MeshInstant

    init(asks: Bool, configuration: RouterConfiguration, now: MeshInstant) {
        self.asks = asks
        first = now.advanced(by: configuration.comparisonDelay)
        next = first
        interval = configuration.comparisonInterval
        nextAnswer = now
    }

    /// Notes how both ends' stores are.
    mutating func note(own: StoreSummary, remote: StoreSummary?, now: MeshInstant) {
        guard let remote, remote != own else {
            differsSince = nil
            present = nil
            return
        }
        if differsSince == nil { differsSince = now }
        let summaries = Summaries(own: own, remote: remote)
        if present?.summaries != summaries { present = (summaries, now) }
    }

    /// Forgets the comparison that this end began.
    mutating func endAsking() {
        asking = nil
        lastSymbols = .distantFuture
    }

    /// Forgets the comparison that the neighbour began.
    mutating func endAnswering() {
        answering = nil
        lastAsk = .distantFuture
    }

    /// Notes that a comparison begins.
    mutating func begin(_ summaries: Summaries, configuration: RouterConfiguration, now: MeshInstant) {
        let isFutile = last != nil && !hasMoved
        interval =
            isFutile ? min(interval * 2, configuration.maximumComparisonInterval) : configuration.comparisonInterval
        next = now.advanced(by: interval)
        last = summaries
        hasMoved = false
    }
}
