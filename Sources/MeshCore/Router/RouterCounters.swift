/// What a router has counted since its start.
public struct RouterCounters: Sendable, Equatable {
    /// Envelopes that neighbours were asked for by the tree.
    public internal(set) var grafts = 0
    /// Times that a neighbour was told to send no more unasked.
    public internal(set) var prunes = 0
    /// Comparisons of stores that this node began.
    public internal(set) var comparisons = 0
    /// Symbols of neighbours' stores that came.
    public internal(set) var comparisonSymbols = 0
    /// Envelopes that either end of a link asked for since it lacked them.
    public internal(set) var comparisonMoves = 0
    /// Comparisons of this node that got stuck, or whose code could not be read.
    public internal(set) var failedComparisons = 0
}
