/// A machine with deadlines of its own.
protocol Timed {
    /// The time of the machine's next own action.
    var nextDeadline: MeshInstant { get }
}

extension Discovery: Timed {}
extension Router: Timed {}
extension Holders: Timed {}

/// A machine with its deadline.
///
/// The deadline is expensive to compute, so it is computed only after the machine may have changed.
///
/// Invariant: every change goes through `machine`, which discards the deadline.
struct RememberedDeadline<Machine: Timed & Sendable>: Sendable {
    private var current: Machine
    private var found: MeshInstant?

    init(_ machine: Machine) { current = machine }

    /// The machine itself.
    var machine: Machine {
        _read { yield current }
        _modify {
            found = nil
            yield &current
        }
    }

    /// Whether the machine may have changed since its deadline was last computed.
    var isChanged: Bool { found == nil }

    /// Returns the time of the machine's next own action.
    mutating func deadline() -> MeshInstant {
        if let found { return found }
        let deadline = current.nextDeadline
        found = deadline
        return deadline
    }
}
