public import Foundation

/// The address of a model server: the only one that an assistant opens.
public struct ModelEndpoint: Hashable, Sendable {
    /// The reason why an address or a key cannot be used.
    public struct Refusal: Error, CustomStringConvertible {
        /// One sentence that says what to do.
        public let description: String
    }

    /// The base address of the interface, without a slash at its end.
    public let url: URL
    /// The model's name, as the server lists it.
    public let model: String
    private let key: String?

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - address: An address of http or https, such as `http://localhost:1234/v1`.
    ///   - model: The model's name, as the server lists it.
    ///   - key: The bearer token for the header `Authorization`; nil for none.
    /// - Throws: ``Refusal`` for anything else.
    public init(_ address: String, model: String, key: String? = nil) throws(Refusal) {
        var address = address
        while address.hasSuffix("/") { address.removeLast() }
        guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, let url = parts.url
        else {
            throw Refusal(description: "The endpoint is an address such as http://localhost:1234/v1.")
        }
        guard parts.user == nil, parts.password == nil else {
            throw Refusal(
                description: "Give the key by a file: every user of the machine can read arguments."
            )
        }
        guard !model.isEmpty else { throw Refusal(description: "The model's name is empty.") }
        if let key {
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Refusal(description: "A key is one word of visible ASCII.")
            }
        }
        self.url = url
        self.model = model
        self.key = key
    }

    /// Whether others on the network can read the traffic: it goes by http, and not to this machine itself.
    public var isExposed: Bool {
        let host = url.host(percentEncoded: false)?.lowercased() ?? ""
        let isHere = host == "localhost" || host.hasPrefix("127.") || ["::1", "[::1]"].contains(host)
        return url.scheme?.lowercased() == "http" && !isHere
    }

    /// Makes the request that asks the model to continue these messages.
    func answerRequest(_ messages: [PromptMessage]) -> ModelRequest {
        struct Body: Encodable {
            enum CodingKeys: String, CodingKey {
                case model, messages, stream
                case options = "stream_options"
            }

            struct Options: Encodable {
                enum CodingKeys: String, CodingKey {
                    case includesUsage = "include_usage"
                }

                var includesUsage = true
            }

            var model: String
            var messages: [PromptMessage]
            var stream = true
            var options = Options()
        }
        var request = request(for: "chat/completions")
        request.headers["Content-Type"] = "application/json"
        request.headers["Accept"] = "text/event-stream"
        // Encoding texts never fails.
        request.body = (try? JSONEncoder().encode(Body(model: model, messages: messages))) ?? Data()
        return request
    }

    /// The request for the names of the server's models.
    var modelsRequest: ModelRequest { request(for: "models") }

    private func request(for path: String) -> ModelRequest {
        var headers = ["User-Agent": "earshot", "Accept": "application/json"]
        if let key { headers["Authorization"] = "Bearer \(key)" }
        return ModelRequest(url: url.appendingPathComponent(path), headers: headers)
    }
}

/// One message of a prompt.
struct PromptMessage: Hashable, Sendable, Encodable {
    /// The author of a message.
    enum Role: String, Sendable, Encodable {
        case system, user, assistant
    }

    let role: Role
    let content: String
    let pictures: [Picture]

    init(_ role: Role, _ content: String, _ pictures: [Picture] = []) {
        self.role = role
        self.content = content
        self.pictures = pictures
    }

    /// The estimated number of tokens: only the model's own server knows it.
    var tokenCount: Int {
        content.utf8.count / AssistantLimits.bytesPerToken + AssistantLimits.tokensPerMessage
            + pictures.count * AssistantLimits.tokensPerPicture
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(role, forKey: .role)
        guard !pictures.isEmpty else { return try container.encode(content, forKey: .content) }
        let words = content.trimmed.isEmpty ? [] : [Part.text(content)]
        try container.encode(words + pictures.map { .picture($0.address) }, forKey: .content)
    }

    private enum CodingKeys: String, CodingKey {
        case role, content
    }

    /// A part of a content that is not text alone.
    private enum Part: Encodable {
        case text(String)
        case picture(String)

        private enum Keys: String, CodingKey {
            case type, text, url
            case picture = "image_url"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            switch self {
            case .text(let text):
                try container.encode("text", forKey: .type)
                try container.encode(text, forKey: .text)
            case .picture(let address):
                try container.encode("image_url", forKey: .type)
                var picture = container.nestedContainer(keyedBy: Keys.self, forKey: .picture)
                try picture.encode(address, forKey: .url)
            }
        }
    }
}
