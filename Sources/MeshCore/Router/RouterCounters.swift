/// The counters of a router since its start.
public struct RouterCounters: Sendable, Equatable {
    /// Envelopes that this node requested from neighbours for the tree.
    public internal(set) var grafts = 0
    /// Requests to a neighbour to stop sending unrequested envelopes.
    public internal(set) var prunes = 0
    /// Comparisons of stores that this node began.
    public internal(set) var comparisons = 0
    /// Symbols of neighbours' stores that arrived.
    public internal(set) var comparisonSymbols = 0
    /// Envelopes that either end of a link requested because it lacked them.
    public internal(set) var comparisonMoves = 0
    /// Comparisons of this node that stalled, or whose code could not be decoded.
    public internal(set) var failedComparisons = 0
}
