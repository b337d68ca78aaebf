import Logging
import MeshCore

@testable import MeshTransport

/// The log of a node: every event that it passes to its engine, and every other message as a line.
struct EventLog: Sendable {
    let events = Recorder<MeshEvent>()
    let lines = Recorder<String>()

    /// Waits until there are `count` lines that begin with `prefix`.
    func wait(for prefix: String, count: Int = 1) async throws {
        try await lines.wait { $0.count(where: { $0.hasPrefix(prefix) }) >= count }
    }

    /// Waits until there are `count` events of a kind.
    func wait(count: Int = 1, for isWanted: @escaping @Sendable (MeshEvent) -> Bool) async throws {
        try await events.wait { $0.count(where: isWanted) >= count }
    }

    var handler: any LogHandler { Handler(events: events, lines: lines) }

    private struct Handler: LogHandler {
        let events: Recorder<MeshEvent>
        let lines: Recorder<String>
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            if case .stringConvertible(let value)? = event.metadata?["event"], let logged = value as? LoggedEvent {
                events.append([logged.event])
            } else {
                lines.append([event.message.description])
            }
        }
    }
}

extension MeshEvent {
    /// The bytes of a received datagram.
    var datagram: [UInt8]? {
        guard case .datagram(let bytes, _, _) = self else { return nil }
        return bytes
    }

    /// The interface on which a datagram arrived by multicast.
    var multicastInterface: InterfaceID? {
        guard case .datagram(_, let source, multicast: true) = self else { return nil }
        return source.interface
    }

    /// The interface whose sockets were opened.
    var openedInterface: InterfaceID? {
        guard case .interfaceUp(let interface, _, _) = self else { return nil }
        return interface
    }

    /// The interface whose sockets were closed.
    var closedInterface: InterfaceID? {
        guard case .interfaceDown(let interface) = self else { return nil }
        return interface
    }
}
