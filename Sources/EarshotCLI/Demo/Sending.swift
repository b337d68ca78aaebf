import EarshotRPC

/// A message of the demo on its way.
struct Sending: Sendable {
    let message: String
    let start: ContinuousClock.Instant
    private let sender: DemoNode

    /// Sends a text.
    init(_ text: String, from sender: DemoNode, to peer: String) async throws {
        self.sender = sender
        start = .now
        message = try await sender.client.call(SendCall(to: peer, text: text)).message
    }

    /// Waits until the message has reached a state, and describes the time of each state.
    func course(_ goal: String) async throws -> String {
        let message = message
        _ = try await sender.first("“\(goal)” at \(sender.name)'s") { event in
            if case .status(message, goal, _) = event { true } else { nil }
        }
        var states = ["queued"]
        for moment in await sender.moments {
            guard case .status(message, let status, _) = moment.event, status != "queued" else { continue }
            states.append("\(status) \(TimeText.span(start.duration(to: moment.time)))")
        }
        return states.joined(separator: " → ")
    }
}
