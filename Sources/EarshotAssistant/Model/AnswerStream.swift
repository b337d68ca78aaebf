/// An event of a model's answer.
enum ModelEvent: Equatable, Sendable {
    /// The next text of the answer.
    case text(String)
    /// The answer is whole, or as long as the model may make it; with the count of its tokens if the server reports it.
    case ended(isCutOff: Bool, tokenCount: Int?)
    /// The answer failed. Nothing follows this event or the end.
    case failed(ModelFault)
}

/// An answer of a model server, from the head of the response to its end.
struct AnswerStream: Sendable {
    private enum Form {
        case events, whole, refusal(status: Int)
    }

    private var form: Form?
    private var parser = EventStreamParser()
    /// The body of a response that is no stream.
    private var body: [UInt8] = []
    private var byteCount = 0
    private var finishReason: String?
    private var tokenCount: Int?
    /// Whether the end or a failure was reported.
    private(set) var isOver = false

    /// Takes the head of the response.
    mutating func begin(status: Int, contentType: String?) {
        switch status {
        case 200..<300: form = contentType?.hasPrefix("application/json") == true ? .whole : .events
        default: form = .refusal(status: status)
        }
    }

    /// Takes bytes of the response's body.
    mutating func take(_ bytes: some Collection<UInt8>) -> [ModelEvent] {
        guard !isOver else { return [] }
        byteCount += bytes.count
        switch form {
        case .refusal:
            body.append(contentsOf: bytes.prefix(AssistantLimits.refusalByteCount - body.count))
            return byteCount > AssistantLimits.eventByteCount ? end() : []
        case .whole:
            guard byteCount <= AssistantLimits.eventByteCount else { return fail(ModelFault(.eventTooLarge)) }
            body.append(contentsOf: bytes)
            return []
        case .events, nil:
            var events: [ModelEvent] = []
            do throws(ModelFault) {
                for event in parser.take(bytes) where !isOver { events += try take(event: event) }
                if parser.isBroken, !isOver { throw ModelFault(.eventTooLarge) }
            } catch {
                return events + fail(error)
            }
            guard isOver || byteCount <= AssistantLimits.streamByteCount else {
                return events + fail(ModelFault(.endless))
            }
            return events
        }
    }

    /// Takes the end of the response.
    ///
    /// - Parameter fault: The reason, if it was not the server that ended it.
    mutating func end(_ fault: ModelFault? = nil) -> [ModelEvent] {
        guard !isOver else { return [] }
        if let fault { return fail(fault) }
        do throws(ModelFault) {
            switch form {
            case .refusal(let status):
                return fail(ModelFault(.refused(status: status), CompletionChunk.refusal(in: body)))
            case .whole:
                let events = try take(event: body)
                return isOver ? events : events + finish()
            case .events, nil:
                let events = try parser.end().map { event throws(ModelFault) in try take(event: event) } ?? []
                if isOver { return events }
                return events + (finishReason == nil ? fail(ModelFault(.connectionLost)) : finish())
            }
        } catch {
            return fail(error)
        }
    }

    private mutating func take(event: [UInt8]) throws(ModelFault) -> [ModelEvent] {
        if event.elementsEqual("[DONE]".utf8) { return finish() }
        let chunk = try CompletionChunk(decoding: event)
        finishReason = chunk.finishReason ?? finishReason
        tokenCount = chunk.tokenCount ?? tokenCount
        return chunk.text.isEmpty ? [] : [.text(chunk.text)]
    }

    private mutating func finish() -> [ModelEvent] {
        isOver = true
        return [.ended(isCutOff: finishReason == "length", tokenCount: tokenCount)]
    }

    private mutating func fail(_ fault: ModelFault) -> [ModelEvent] {
        isOver = true
        return [.failed(fault)]
    }
}
