package import MeshCore

/// The findings of an examination of the machine's network.
package struct NetworkFacts: Hashable, Sendable {
    /// A discovered node.
    package struct Node: Hashable, Sendable {
        /// The interface on which its beacons arrived.
        package var interface: String
        /// The source address of its beacons.
        package var address: String
        /// Whether the node runs on this machine.
        package var isHere: Bool
        /// Whether the node belongs to a mesh with a passphrase.
        package var isOfClosedMesh: Bool

        /// Describes a node.
        package init(interface: String, address: String, isHere: Bool, isOfClosedMesh: Bool) {
            self.interface = interface
            self.address = address
            self.isHere = isHere
            self.isOfClosedMesh = isOfClosedMesh
        }
    }

    /// The links of a node that runs on this machine, as that node reports them.
    package struct RunningNode: Hashable, Sendable {
        /// The links that are up.
        package var linkCount: Int
        /// The nodes whose beacons it receives.
        package var neighbourCount: Int

        /// Describes a running node.
        package init(linkCount: Int, neighbourCount: Int) {
            self.linkCount = linkCount
            self.neighbourCount = neighbourCount
        }
    }

    /// The names of the requested interfaces; empty for all.
    package var requested: [String] = []
    /// All interfaces of the system, by name.
    package var interfaces: [InterfaceFacts] = []
    /// The address families that the system does not support.
    package var missingFamilies: [AddressFamily] = []
    /// The segments that a node would use, in the node's order.
    package var segments: [SegmentFacts] = []
    /// The discovered nodes.
    package var nodes: [Node] = []
    /// The time that the doctor listened.
    package var listened = Duration.zero
    /// The node of this data directory, if it runs.
    package var running: RunningNode?

    /// Describes a machine without a network.
    package init() {}

    /// Adds the questions of `asker` that the second process received.
    package mutating func add(_ report: WitnessReport, of asker: UInt64) {
        for index in segments.indices where segments[index].second == .deaf {
            let segment = segments[index]
            let heard = WitnessReport.Hearing(interface: segment.interface, family: segment.family, asker: asker)
            if report.hearings.contains(heard) { segments[index].second = .heard }
        }
    }
}

/// The questions that a second process received.
package struct WitnessReport: Hashable, Sendable, Codable {
    /// A question that arrived.
    package struct Hearing: Hashable, Sendable, Codable {
        /// The name of the interface.
        package var interface: String
        /// The address family.
        ///
        /// Shape: 4 or 6.
        package var family: UInt8
        /// The random number of the run that asked.
        package var asker: UInt64

        /// Describes a question.
        package init(interface: String, family: AddressFamily, asker: UInt64) {
            self.interface = interface
            self.family = family.rawValue
            self.asker = asker
        }
    }

    /// The questions of other runs, each asker once per segment.
    package var hearings: [Hearing]

    /// Creates a report.
    package init(_ hearings: [Hearing]) {
        self.hearings = hearings
    }
}
