/// The parts of a node that decide whether it keeps an object: its store, and how crowded it is around it.
struct Surroundings: Sendable {
    let store: EnvelopeStore
    /// The depth at which the visible nodes have as many holders as are wanted.
    let depth: UInt8

    /// Creates the surroundings of a node that sees this many others.
    init(store: EnvelopeStore, visibleCount: Int, holderCount: Int) {
        self.store = store
        let share = max(1, (visibleCount + 1) / max(1, holderCount))
        let logarithm = share.bitWidth - 1 - share.leadingZeroBitCount
        depth = min(UInt8(clamping: logarithm), Seek.maximumDepth)
    }
}
