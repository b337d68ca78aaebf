import Foundation
import Synchronization

/// Talks to one model server.
struct ModelClient: Sendable {
    let endpoint: ModelEndpoint

    /// Has the model go on from messages.
    ///
    /// - Returns: What cancels it at once, and what comes: an end or a failure comes last, but not after it is cancelled.
    func answer(_ messages: [PromptMessage]) -> (exchange: ModelExchange, events: AsyncStream<ModelEvent>) {
        // Bounded by what a stream may have.
        let (events, continuation) = AsyncStream.makeStream(of: ModelEvent.self, bufferingPolicy: .unbounded)
        let reader = Reading(AnswerStream())
        let exchange = ModelExchange(endpoint.answerRequest(messages)) { part in
            let (came, isOver) = reader.value.withLock { stream in (stream.take(part), stream.isOver) }
            for event in came { continuation.yield(event) }
            if isOver { continuation.finish() }
            return !isOver
        }
        return (exchange, events)
    }

    /// The names of the server's models.
    ///
    /// - Throws: The fault that keeps them from coming within ten seconds.
    func models() async throws(ModelFault) -> [String] {
        let (bodies, continuation) = AsyncStream.makeStream(of: Result<Data, ModelFault>.self)
        let reader = Reading(ModelList())
        let exchange = ModelExchange(endpoint.modelsRequest) { part in
            guard let result = reader.value.withLock({ $0.take(part) }) else { return true }
            continuation.yield(result)
            continuation.finish()
            return false
        }
        let limit = Task {
            try await ContinuousClock().sleep(for: AssistantLimits.modelListTime)
            exchange.end(ModelFault(.timedOut))
        }
        var result = Result<Data, ModelFault>.failure(ModelFault(.connectionLost))
        for await come in bodies { result = come }
        limit.cancel()
        exchange.cancel()
        return try ModelList.names(in: try result.get())
    }
}

/// What reads a response, on the thread of its exchange.
private final class Reading<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}

extension AnswerStream {
    /// Takes the next part of the response.
    fileprivate mutating func take(_ part: ResponsePart) -> [ModelEvent] {
        switch part {
        case .head(let status, let contentType):
            begin(status: status, contentType: contentType)
            return []
        case .body(let bytes): return take(bytes)
        case .end(let fault): return end(fault)
        }
    }
}
