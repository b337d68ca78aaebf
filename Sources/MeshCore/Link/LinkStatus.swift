/// What two linked nodes tell each other of themselves.
package struct LinkStatus: Sendable, Equatable {
    /// The root of the sender's component.
    package var root: NodeID
    /// The root's own counter.
    package var rootSequence: UInt32
    /// Units: hops from the sender to the root.
    package var rootHops: UInt8
    /// The digest of the sender's store.
    package var digest: UInt64
    /// The number of envelopes in the sender's store.
    package var count: UInt32
    /// How busy the sender is, 0 to 255.
    package var load: UInt8

    /// Makes a status.
    package init(root: NodeID, rootSequence: UInt32, rootHops: UInt8, digest: UInt64, count: UInt32, load: UInt8) {
        self.root = root
        self.rootSequence = rootSequence
        self.rootHops = rootHops
        self.digest = digest
        self.count = count
        self.load = load
    }
}
