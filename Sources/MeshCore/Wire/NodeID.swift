/// The random identifier of one running node.
///
/// It changes at every start and from time to time while the node runs, and is never linked to a person.
public struct NodeID: Hashable, Sendable, Comparable {
    /// The value.
    ///
    /// Shape: 8 bytes on the wire, big-endian.
    public let value: UInt64

    /// Creates a node id from its value.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: NodeID, right: NodeID) -> Bool {
        left.value < right.value
    }
}

/// The local number of one link.
///
/// It is never sent and never used again in one run.
public struct LinkID: Hashable, Sendable, Comparable {
    /// The number, which counts up from 1.
    public let value: UInt64

    /// Creates a link id from its number.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Orders by value, so that iteration is repeatable.
    public static func < (left: LinkID, right: LinkID) -> Bool {
        left.value < right.value
    }
}
