/// The random name of one running node, changed at every start and now and then between; never tied to a person.
public struct NodeID: Hashable, Sendable, Comparable {
    /// Shape: 8 bytes on the wire, big-endian.
    public let value: UInt64

    /// Makes a node id from its value.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: NodeID, right: NodeID) -> Bool {
        left.value < right.value
    }
}

/// The local number of one link, never on the wire and never used again in one run.
public struct LinkID: Hashable, Sendable, Comparable {
    /// Counts up from 1.
    public let value: UInt64

    /// Makes a link id from its number.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Orders by value, so that iteration can be made repeatable.
    public static func < (left: LinkID, right: LinkID) -> Bool {
        left.value < right.value
    }
}
