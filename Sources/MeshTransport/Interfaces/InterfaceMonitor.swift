import MeshCore

/// A change of a network interface since the last look.
enum InterfaceChange: Equatable, Sendable {
    case up(LocalInterface)
    case down(InterfaceID)
}

/// The machine's interfaces that the mesh uses, and their changes since the last look.
///
/// The node asks the system after its notices, and once a second in case there are none. A look costs about a tenth of
/// a millisecond. Invariant: every `down` follows an `up` of the same interface; an interface whose addresses changed
/// goes down and up.
struct InterfaceMonitor: Sendable {
    private let names: Set<String>
    private var known: [InterfaceID: LocalInterface] = [:]

    /// Uses the named interfaces and no others; without names, loopback and all that can multicast and are not private.
    init(names: [String]) {
        self.names = Set(names)
    }

    /// Takes the system's present interfaces and returns the changes, downs first, both in order.
    mutating func update(_ current: [LocalInterface]) -> [InterfaceChange] {
        let used = current.filter(isUsed)
        let before = known
        known = Dictionary(used.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let downs = before.keys.filter { known[$0] != before[$0] }.sorted()
        let ups = used.filter { before[$0.id] != $0 }
        return downs.map(InterfaceChange.down) + ups.map(InterfaceChange.up)
    }

    private func isUsed(_ interface: LocalInterface) -> Bool {
        if interface.isLoopback, interface.id.family == .v6 { return false }
        guard names.isEmpty else { return names.contains(interface.name) }
        return interface.isLoopback || interface.isMulticast && !interface.isPrivate
    }
}
