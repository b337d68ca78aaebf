import Foundation

/// The response of a model server to the request for its models.
struct ModelList: Sendable {
    private var status = 0
    private var body = Data()

    /// Takes the next part of the response; returns the whole body once it is here, or the fault.
    mutating func take(_ part: ResponsePart) -> Result<Data, ModelFault>? {
        switch part {
        case .head(let status, _):
            self.status = status
            return nil
        case .body(let bytes):
            body.append(bytes.prefix(AssistantLimits.eventByteCount + 1 - body.count))
            return body.count > AssistantLimits.eventByteCount ? .failure(ModelFault(.eventTooLarge)) : nil
        case .end(let fault?): return .failure(fault)
        case .end(nil) where (200..<300).contains(status): return .success(body)
        case .end(nil):
            return .failure(ModelFault(.refused(status: status), CompletionChunk.refusal(in: Array(body))))
        }
    }

    /// Reads the names that a body lists.
    static func names(in body: Data) throws(ModelFault) -> [String] {
        struct Wire: Decodable {
            struct Model: Decodable {
                var id: String
            }

            var data: [Model]
        }
        do {
            return try JSONDecoder().decode(Wire.self, from: body).data.map(\.id)
        } catch {
            throw ModelFault(.malformed)
        }
    }
}
