package import Earshot

/// The sending of files that a page has uploaded, which have no path on the node's machine.
extension RPCDispatcher {
    /// Puts a message into the outbox.
    ///
    /// - Parameters:
    ///   - parameters: JSON with the parameters of `send`, without paths; `uploads` has no effect here.
    ///   - files: the files to send with the text, in this order.
    /// - Returns: whether the call succeeded, and the JSON of `send`'s result or of an error.
    package func send(_ parameters: [UInt8], _ files: [FileDraft]) async -> (isDone: Bool, json: [UInt8]) {
        do {
            try await admit(isAct: true)
            let reply = try await UploadsCall(parameters).call.perform(on: node, files: files)
            return (true, (try? RPCCoding.encode(reply)) ?? [])
        } catch {
            return (false, Self.json(of: RPCError(error)))
        }
    }

    /// Encodes an error as a complete JSON text.
    package static func json(of error: RPCError) -> [UInt8] {
        (try? RPCCoding.encode(["error": error])) ?? []
    }
}

/// The parameters of `send` from a page.
private struct UploadsCall: Decodable {
    let call: SendCall

    init(_ json: [UInt8]) throws(RPCError) {
        do {
            self = try RPCCoding.decode(UploadsCall.self, from: json)
        } catch let error as RPCError {
            throw error
        } catch {
            throw RPCError(.invalidParameters, "The parameters of `send` cannot be read.")
        }
    }

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        let known = SendCall.parameterNames.filter { !SendCall.pathParameters.contains($0) } + ["uploads"]
        guard Set(names).isSubset(of: known) else {
            let list = known.joined(separator: ", ")
            throw RPCError(.invalidParameters, "`send` knows these parameters from a page: \(list).")
        }
        call = try SendCall(from: decoder)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
