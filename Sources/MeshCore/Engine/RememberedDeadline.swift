/// A machine that does something at a time of its own.
protocol Timed {
    /// When it next does something on its own.
    var nextDeadline: MeshInstant { get }
}

extension Discovery: Timed {}
extension Router: Timed {}

/// A machine beside its deadline, which is dear to find and so is looked for only after the machine may have changed.
///
/// Invariant: every change goes through `machine`, which forgets the deadline.
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

    /// Whether the machine may have changed since its deadline was last asked for.
    var isChanged: Bool { found == nil }

    /// When the machine next does something on its own.
    mutating func deadline() -> MeshInstant {
        if let found { return found }
        let deadline = current.nextDeadline
        found = deadline
        return deadline
    }
}
