import Foundation

/// One event of a model's stream, or a whole answer of a model that does not stream.
struct CompletionChunk: Equatable, Sendable {
    /// The text that it adds to the answer.
    var text = ""
    /// The reason why the answer ends, if it ends: `stop`, `length` or another.
    var finishReason: String?
    /// The number of tokens of the answer, if the server reports it.
    var tokenCount: Int?

    /// Reads JSON; unknown fields are ignored.
    ///
    /// - Throws: `serverFailed` if the server reports an error, `malformed` for anything else that is no chunk.
    init(decoding bytes: [UInt8]) throws(ModelFault) {
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(bytes))
        } catch {
            throw ModelFault(.malformed)
        }
        if let failure = wire.error { throw ModelFault(.serverFailed, failure.message) }
        guard wire.choices != nil || wire.usage != nil else { throw ModelFault(.malformed) }
        if let choice = wire.choices?.first {
            text = choice.delta?.content ?? choice.message?.content ?? ""
            finishReason = choice.finishReason
        }
        tokenCount = wire.usage?.completionTokens.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Reads the reason that a server gives for a refusal; empty if it gives none.
    ///
    /// The reason is the message of its error, or the start of a body that is not of this form.
    static func refusal(in bytes: [UInt8]) -> String {
        guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(bytes)) else {
            return String(decoding: bytes.prefix(AssistantLimits.refusalByteCount), as: UTF8.self)
        }
        return wire.error?.message ?? ""
    }

    private struct Wire: Decodable {
        var choices: [Choice]?
        var usage: Usage?
        var error: Failure?
    }

    private struct Choice: Decodable {
        enum CodingKeys: String, CodingKey {
            case delta, message
            case finishReason = "finish_reason"
        }

        var delta: ReplyText?
        var message: ReplyText?
        var finishReason: String?
    }

    private struct ReplyText: Decodable {
        var content: String?
    }

    private struct Usage: Decodable {
        enum CodingKeys: String, CodingKey {
            case completionTokens = "completion_tokens"
        }

        var completionTokens: Int?
    }

    /// An error, which servers write as a string or as an object.
    private struct Failure: Decodable {
        enum CodingKeys: CodingKey {
            case message
        }

        let message: String

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                message = text
            } else {
                message = (try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .message)) ?? ""
            }
        }
    }
}
