/// The status of a component and store that neighbours exchange, at once on a change and with every idle ping.
///
/// Shape: root 8, sequence 4, hops 1, shelf 2, depth 1, 16 sums of 4, count 4, load 1; big-endian. Source: PROTOCOL §3.3.
package struct LinkStatus: Sendable, Equatable {
    /// The component's root, as far as the sender knows.
    package var root: NodeID
    /// The newest known sequence number of that root.
    package var rootSequence: UInt32
    /// The distance from the sender to the root.
    ///
    /// Units: hops.
    package var rootHops: UInt8
    /// The state of the sender's store.
    package var store: StoreSummary
    /// The load of the sender, from 0 to 255.
    ///
    /// This implementation sends the fill level of its store.
    package var load: UInt8

    /// Creates a status.
    package init(
        root: NodeID,
        rootSequence: UInt32,
        rootHops: UInt8,
        store: StoreSummary = .empty,
        load: UInt8 = 0
    ) {
        self.root = root
        self.rootSequence = rootSequence
        self.rootHops = rootHops
        self.store = store
        self.load = load
    }

    /// Returns whether a neighbour does not need this status, because it differs from the last one sent only by a root
    /// counter that the neighbour itself has sent.
    func isKnown(to neighbour: LinkStatus, after last: LinkStatus?) -> Bool {
        guard var expected = last, neighbour.root == root, neighbour.rootSequence >= rootSequence else { return false }
        expected.rootSequence = rootSequence
        return expected == self
    }
}
