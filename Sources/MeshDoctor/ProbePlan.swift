package import MeshTransport

/// The interfaces and groups that an examination uses.
///
/// They are the same as a node's.
package struct ProbePlan: Sendable {
    /// The random number of this run; never 0.
    package let id: UInt64
    /// The random number of the second process; nil if there is none.
    package var second: UInt64?
    /// The names of the only interfaces to use; empty for all that a node would use.
    package var interfaces: [String]
    /// The multicast groups in which nodes discover each other.
    package var groups: [MulticastGroup]

    /// Creates a plan for the run with this number.
    package init(id: UInt64, interfaces: [String] = [], groups: [MulticastGroup] = MulticastGroup.standard) {
        self.id = id
        self.interfaces = interfaces
        self.groups = groups
    }

    /// Returns a random number for a run.
    package static func randomID() -> UInt64 { UInt64.random(in: 1 ... .max) }
}
