package import MeshCore

/// The findings of an examination of the machine's network.
package struct NetworkFacts: Hashable, Sendable {
    /// A node that was heard.
    package struct Node: Hashable, Sendable {
        /// The interface it was heard on.
        package var interface: String
        /// The source address of its beacons.
        package var address: String
        /// Whether it runs on this machine.
        package var isHere: Bool
        /// Whether it belongs to a mesh with a passphrase.
        package var isOfClosedMesh: Bool

        /// Describes one.
        package init(interface: String, address: String, isHere: Bool, isOfClosedMesh: Bool) {
            self.interface = interface
            self.address = address
            self.isHere = isHere
            self.isOfClosedMesh = isOfClosedMesh
        }
    }

    /// The links of a node that runs on this machine, as it tells them itself.
    package struct RunningNode: Hashable, Sendable {
        /// Links that are up.
        package var linkCount: Int
        /// Nodes whose beacons it hears.
        package var neighbourCount: Int

        /// Describes one.
        package init(linkCount: Int, neighbourCount: Int) {
            self.linkCount = linkCount
            self.neighbourCount = neighbourCount
        }
    }

    /// The names of the interfaces to use; empty for all.
    package var requested: [String] = []
    /// All interfaces of the system, by name.
    package var interfaces: [InterfaceFacts] = []
    /// Families of addresses that the system does not have at all.
    package var missingFamilies: [AddressFamily] = []
    /// The segments that a node would use, in its order.
    package var segments: [SegmentFacts] = []
    /// The nodes heard.
    package var nodes: [Node] = []
    /// How long was listened.
    package var listened = Duration.zero
    /// The node of this home, if it runs.
    package var running: RunningNode?

    /// Describes a machine without network.
    package init() {}

    /// Adds what the second process heard of the questions of `asker`.
    package mutating func add(_ report: WitnessReport, of asker: UInt64) {
        for index in segments.indices where segments[index].second == .deaf {
            let segment = segments[index]
            let heard = WitnessReport.Hearing(interface: segment.interface, family: segment.family, asker: asker)
            if report.hearings.contains(heard) { segments[index].second = .heard }
        }
    }
}

/// The questions that a second process heard.
package struct WitnessReport: Hashable, Sendable, Codable {
    /// A question that arrived.
    package struct Hearing: Hashable, Sendable, Codable {
        /// The name of the interface.
        package var interface: String
        /// Shape: 4 or 6.
        package var family: UInt8
        /// The number of the run that asked.
        package var asker: UInt64

        /// Describes one.
        package init(interface: String, family: AddressFamily, asker: UInt64) {
            self.interface = interface
            self.family = family.rawValue
            self.asker = asker
        }
    }

    /// All questions of others, each asker once for every segment.
    package var hearings: [Hearing]

    /// Makes a report.
    package init(_ hearings: [Hearing]) {
        self.hearings = hearings
    }
}
