/// The answer to one request.
struct RPCResponse: Encodable, Sendable {
    let id: RPCIdentifier
    let outcome: Result<any Encodable & Sendable, RPCError>

    init(id: RPCIdentifier, outcome: Result<any Encodable & Sendable, RPCError>) {
        self.id = id
        self.outcome = outcome
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encode(id, forKey: .id)
        switch outcome {
        case .success(let reply): try container.encode(reply, forKey: .result)
        case .failure(let error): try container.encode(error, forKey: .error)
        }
    }

    private enum Key: String, CodingKey {
        case jsonrpc, id, result, error
    }
}
