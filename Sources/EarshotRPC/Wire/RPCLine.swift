/// The content of a client's line: one request or a batch.
enum RPCLine: Sendable {
    case single(RPCRequest)
    case batch([RPCRequest])

    /// Reads a line, or answers the error of an invalid one.
    static func read(_ line: [UInt8]) -> Result<RPCLine, RPCError> {
        Result { () throws(RPCError) in try RPCLine(line) }
    }

    /// Whether the answer may depend on a distant peer.
    var waitsForPeer: Bool {
        guard case .single(let request) = self, case .success(let method) = request.call else { return false }
        return type(of: method).waitsForPeer
    }

    /// Reads a line.
    ///
    /// - Throws: `parseError` for a line that is not JSON in UTF-8, `invalidRequest` for an empty batch or one of too
    ///   many requests.
    init(_ line: [UInt8]) throws(RPCError) {
        guard String(validating: line, as: UTF8.self) != nil else {
            throw RPCError(.parseError, "The line is not UTF-8.")
        }
        do {
            let isBatch = line.first { !Self.whitespace.contains($0) } == UInt8(ascii: "[")
            if isBatch {
                self = .batch(try RPCCoding.decode(Batch.self, from: line).requests)
            } else {
                self = .single(try RPCCoding.decode(RPCRequest.self, from: line))
            }
        } catch let error as RPCError {
            throw error
        } catch {
            throw RPCError(.parseError, "The line is not JSON.")
        }
    }

    private static let whitespace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private struct Batch: Decodable {
        var requests: [RPCRequest] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                guard requests.count < RPCLimits.batchCount else {
                    throw RPCError(.invalidRequest, "A batch holds at most \(RPCLimits.batchCount) requests.")
                }
                requests.append(try container.decode(RPCRequest.self))
            }
            guard !requests.isEmpty else { throw RPCError(.invalidRequest, "The batch is empty.") }
        }
    }
}
