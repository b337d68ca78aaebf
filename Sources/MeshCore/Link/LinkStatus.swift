/// What neighbours tell each other about their component and store, at once on change and with every idle ping.
///
/// Shape: root 8, sequence 4, hops 1, digest 8, count 4, load 1; big-endian. Source: PROTOCOL §3.3.
package struct LinkStatus: Sendable, Equatable {
    /// The component's root as far as the sender knows.
    package var root: NodeID
    /// The newest sequence number heard of that root.
    package var rootSequence: UInt32
    /// Units: hops from the sender to the root.
    package var rootHops: UInt8
    /// A digest of the sender's store.
    package var digest: UInt64
    /// How many envelopes are in the sender's store.
    package var count: UInt32
    /// How busy the sender is, from 0 to 255.
    package var load: UInt8

    /// Makes a status.
    package init(
        root: NodeID,
        rootSequence: UInt32,
        rootHops: UInt8,
        digest: UInt64 = 0,
        count: UInt32 = 0,
        load: UInt8 = 0
    ) {
        self.root = root
        self.rootSequence = rootSequence
        self.rootHops = rootHops
        self.digest = digest
        self.count = count
        self.load = load
    }

    /// Whether a neighbour needs not be told, since it differs from what it was told last by no more than a counter of
    /// the root that the neighbour has told itself.
    func isKnown(to neighbour: LinkStatus, after last: LinkStatus?) -> Bool {
        guard var expected = last, neighbour.root == root, neighbour.rootSequence >= rootSequence else { return false }
        expected.rootSequence = rootSequence
        return expected == self
    }
}
