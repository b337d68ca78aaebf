public import Foundation

/// Where a model answers: the one address that an assistant opens.
public struct ModelEndpoint: Hashable, Sendable {
    /// Why an address or a key cannot be used.
    public struct Refusal: Error, CustomStringConvertible {
        /// One sentence that says what to do.
        public let description: String
    }

    /// The address that the paths of the interface are below, without a slash at its end.
    public let url: URL
    /// The model's name, as the server has it.
    public let model: String
    private let key: String?

    /// Names an endpoint.
    ///
    /// - Parameters:
    ///   - address: An address of http or https, such as `http://localhost:1234/v1`.
    ///   - model: The model's name, as the server has it.
    ///   - key: What the server wants in the header `Authorization`; nil for nothing.
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
                description: "Give the key by a file: arguments are there for every user of the machine to read."
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

    /// Whether what goes there can be read on the way: by http, and not to this machine alone.
    public var isExposed: Bool {
        let host = url.host(percentEncoded: false)?.lowercased() ?? ""
        let isHere = host == "localhost" || host.hasPrefix("127.") || ["::1", "[::1]"].contains(host)
        return url.scheme?.lowercased() == "http" && !isHere
    }

    /// What to put to the model so that it goes on from these messages.
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
        // Texts always have an encoding.
        request.body = (try? JSONEncoder().encode(Body(model: model, messages: messages))) ?? Data()
        return request
    }

    /// What asks for the names of the server's models.
    var modelsRequest: ModelRequest { request(for: "models") }

    private func request(for path: String) -> ModelRequest {
        var headers = ["User-Agent": "earshot", "Accept": "application/json"]
        if let key { headers["Authorization"] = "Bearer \(key)" }
        return ModelRequest(url: url.appendingPathComponent(path), headers: headers)
    }
}

/// A message of what a model is given.
struct PromptMessage: Hashable, Sendable, Encodable {
    /// Who says it.
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

    /// About how many tokens it has: nobody but the model's own server knows.
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

    /// A part of what is said, where that is not text alone.
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
