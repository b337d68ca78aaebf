import Foundation

/// One checked request of a client: either a call to a method with its parameters, or the error to answer with.
struct RPCRequest: Decodable, Sendable {
    /// The ID for the answer; nil for a notification, which gets no answer.
    let id: RPCIdentifier?
    /// The call, or the error of an invalid request.
    let call: Result<any RPCMethod, RPCError>

    /// Reads a request; every JSON value becomes a call or an error, and nothing is thrown.
    init(from decoder: any Decoder) {
        guard let container = try? decoder.container(keyedBy: Key.self) else {
            self.init(invalid: "A request is a JSON object.")
            return
        }
        let hasID = container.contains(.id)
        let id = hasID ? try? container.decode(RPCIdentifier.self, forKey: .id) : nil
        if hasID, id == nil {
            self.init(invalid: "An id is a string, a number or null.")
        } else if (try? container.decode(String.self, forKey: .jsonrpc)) != "2.0" {
            self.init(invalid: "The member `jsonrpc` must be \"2.0\".", id: id)
        } else if let name = try? container.decode(String.self, forKey: .method) {
            self.init(id: id, call: Result { () throws(RPCError) in try Self.call(name, in: container) })
        } else {
            self.init(invalid: "The member `method` must be a string.", id: id)
        }
    }

    private init(invalid reason: String, id: RPCIdentifier? = nil) {
        self.init(id: id ?? .null, call: .failure(RPCError(.invalidRequest, reason)))
    }

    private init(id: RPCIdentifier?, call: Result<any RPCMethod, RPCError>) {
        self.id = id
        self.call = call
    }

    private static func call(_ name: String, in container: Container) throws(RPCError) -> any RPCMethod {
        guard let method = RPCMethods.named[name] else {
            throw RPCError(.methodNotFound, "There is no such method in this release.")
        }
        return try call(method, in: container)
    }

    private static func call<Method: RPCMethod>(
        _ method: Method.Type,
        in container: Container
    ) throws(RPCError) -> any RPCMethod {
        do {
            guard container.contains(.params), try !container.decodeNil(forKey: .params) else {
                return try RPCCoding.decode(method, from: Array("{}".utf8))
            }
            let parameters = try container.nestedContainer(keyedBy: Parameter.self, forKey: .params)
            let unknown = parameters.allKeys.filter { !method.parameterNames.contains($0.stringValue) }
            guard unknown.isEmpty else {
                let known = method.parameters.isEmpty ? "none" : method.parameterNames.joined(separator: ", ")
                throw RPCError(.invalidParameters, "`\(method.name)` knows these parameters in this release: \(known).")
            }
            return try container.decode(method, forKey: .params)
        } catch let error as RPCError {
            throw error
        } catch let error as DecodingError {
            throw RPCError(.invalidParameters, error.sentence(about: method))
        } catch {
            throw RPCError(.invalidParameters, "The parameters of `\(method.name)` cannot be read.")
        }
    }
}

extension RPCRequest {
    fileprivate typealias Container = KeyedDecodingContainer<Key>

    fileprivate enum Key: String, CodingKey {
        case jsonrpc, id, method, params
    }

    /// A parameter with any name that the client gave it.
    fileprivate struct Parameter: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension DecodingError {
    /// Makes the sentence about a method's wrong parameters; it names only parameters that the method has.
    fileprivate func sentence(about method: any RPCMethod.Type) -> String {
        let place: (any CodingKey)?
        switch self {
        case .keyNotFound(let key, _):
            return "`\(method.name)` needs the parameter `\(key.stringValue)`."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            place = context.codingPath.last { method.parameterNames.contains($0.stringValue) }
        @unknown default:
            place = nil
        }
        guard let place else { return "The parameters of `\(method.name)` are a JSON object with names." }
        return "The parameter `\(place.stringValue)` of `\(method.name)` has a type or value that it cannot have."
    }
}
