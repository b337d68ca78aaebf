import EarshotRPC

/// Conversations that are being opened, and what came for their messages meanwhile.
///
/// The page that is on its way was made before what an event tells or after it, so that neither does without the other:
/// events wait for the page, and of them what stands in it is left out.
struct AwaitedPages: Sendable {
    /// Events that wait at most; where there are more, all are taken as they come.
    static let eventCount = 256

    /// What the pages were asked for by, in order.
    private(set) var names: [String] = []
    private(set) var events: [RPCEvent] = []

    var isFull: Bool { events.count >= Self.eventCount }

    mutating func ask(for name: String) { names.append(name) }

    mutating func add(_ event: RPCEvent) { events.append(event) }

    /// Notes that a page is here or will not come, and with it those that were asked for before; whether it was awaited.
    mutating func arrive(_ name: String) -> Bool {
        guard let index = names.firstIndex(of: name) else { return false }
        names.removeFirst(index + 1)
        return true
    }

    /// Has nothing wait any more.
    mutating func giveUp() { names = [] }

    /// Takes out what fits; with the last page all the rest is gone.
    mutating func take(where fits: (RPCEvent) -> Bool) -> [RPCEvent] {
        defer { events = names.isEmpty ? [] : events.filter { !fits($0) } }
        return events.filter(fits)
    }
}
