import Foundation
import Synchronization

/// A client of one model server.
struct ModelClient: Sendable {
    let endpoint: ModelEndpoint

    /// Asks the model to continue messages.
    ///
    /// - Returns: The exchange, which can be cancelled at once, and the events. The last one is an end or a failure,
    ///   except after a cancellation.
    func answer(_ messages: [PromptMessage]) -> (exchange: ModelExchange, events: AsyncStream<ModelEvent>) {
        // The limits of an answer stream bound it.
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

    /// Requests the names of the server's models.
    ///
    /// - Throws: The fault, if they do not come within ten seconds.
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

/// The reader of a response, on the thread of its exchange.
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
