package import MeshTransport

/// The interfaces and groups that an examination uses: the same as a node.
package struct ProbePlan: Sendable {
    /// The random number of this run, never 0.
    package let id: UInt64
    /// The number of the second process; nil if there is none.
    package var second: UInt64?
    /// The names of the interfaces to use, and then no others; empty for all that a node would use.
    package var interfaces: [String]
    /// The groups in which nodes look for each other.
    package var groups: [MulticastGroup]

    /// Makes a plan of a run with this number.
    package init(id: UInt64, interfaces: [String] = [], groups: [MulticastGroup] = MulticastGroup.standard) {
        self.id = id
        self.interfaces = interfaces
        self.groups = groups
    }

    /// A number for a run.
    package static func randomID() -> UInt64 { UInt64.random(in: 1 ... .max) }
}
