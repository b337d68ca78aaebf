import Logging

/// What a node logs: every event it hands to its engine, a line each.
struct EventLog: Sendable {
    let lines = Recorder<String>()

    /// Waits until there are `count` lines that begin with `prefix`.
    func wait(for prefix: String, count: Int = 1) async throws {
        try await lines.wait { $0.filter { $0.hasPrefix(prefix) }.count >= count }
    }

    var handler: any LogHandler { Handler(lines: lines) }

    private struct Handler: LogHandler {
        let lines: Recorder<String>
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let text = event.metadata?["event"]?.description ?? event.message.description
            lines.append([text.replacing("MeshCore.", with: "")])
        }
    }
}
