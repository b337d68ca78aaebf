import EarshotRPC

/// The conversations that are being opened, and the events of their messages that arrive in the meantime.
///
/// The node made a pending page either before or after the change that an event reports, so that neither suffices
/// alone. Events wait for the page, and those that the page contains already are dropped.
struct AwaitedPages: Sendable {
    /// The largest number of waiting events; beyond it all of them are processed at once.
    static let eventCount = 256

    /// The names by which the pages were requested, in order.
    private(set) var names: [String] = []
    private(set) var events: [RPCEvent] = []

    var isFull: Bool { events.count >= Self.eventCount }

    mutating func ask(for name: String) { names.append(name) }

    mutating func add(_ event: RPCEvent) { events.append(event) }

    /// Records that a page is here or failed, and with it all earlier ones; returns whether it was awaited.
    mutating func arrive(_ name: String) -> Bool {
        guard let index = names.firstIndex(of: name) else { return false }
        names.removeFirst(index + 1)
        return true
    }

    /// Stops the wait for all pages.
    mutating func giveUp() { names = [] }

    /// Removes and returns the events that fit; with the last page the rest is dropped.
    mutating func take(where fits: (RPCEvent) -> Bool) -> [RPCEvent] {
        defer { events = names.isEmpty ? [] : events.filter { !fits($0) } }
        return events.filter(fits)
    }
}
