import Foundation

/// The result of one test conversation with a model server.
public struct EndpointReport: Sendable {
    /// The names of the server's models; empty if the server does not list them.
    public private(set) var models: [String] = []
    /// The time until the first text of the model; nil if there was none.
    public private(set) var firstTokenAfter: Duration?
    /// The speed of the answer after its first text; nil if it cannot be measured.
    public private(set) var tokensPerSecond: Double?
    /// The problems, a sentence each; empty if there are none.
    public private(set) var problems: [String] = []

    private static let question = "Count from one to fifty in words."

    /// Talks with a model server once.
    ///
    /// - Parameters:
    ///   - endpoint: The model server.
    ///   - limit: The longest time for the answer.
    public init(_ endpoint: ModelEndpoint, within limit: Duration) async {
        let client = ModelClient(endpoint: endpoint)
        do throws(ModelFault) {
            models = try await client.models()
            if !models.contains(endpoint.model) {
                problems.append("The server lists no model of this name.")
            }
        } catch {
            problems.append("The models of the server are not known. \(error)")
            // A server that does not accept a request for its models accepts no question either.
            guard error.kind != .insecure, error.kind != .unreachable else { return }
        }
        await talk(client, within: limit)
    }

    private mutating func talk(_ client: ModelClient, within limit: Duration) async {
        let clock = ContinuousClock()
        let began = clock.now
        let (exchange, events) = client.answer([PromptMessage(.user, Self.question)])
        let timer = Task {
            try await clock.sleep(for: limit)
            exchange.end(ModelFault(.timedOut))
        }
        var first: ContinuousClock.Instant?
        var pieceCount = 0
        for await event in events {
            switch event {
            case .text:
                pieceCount += 1
                first = first ?? clock.now
            case .ended(_, let tokenCount):
                let count = (tokenCount ?? pieceCount) - 1
                if let first, count > 0 { tokensPerSecond = Double(count) / ((clock.now - first) / .seconds(1)) }
            case .failed(let fault): problems.append("\(fault)")
            }
        }
        timer.cancel()
        firstTokenAfter = first.map { began.duration(to: $0) }
        if first == nil, problems.isEmpty { problems.append("The model gave no answer.") }
    }
}
