/// A client of a node in another process.
///
/// It owns the connection and the one task that reads from it. `close()` ends both. Calls that still wait for an answer
/// get `unavailable`.
package actor RPCClient: RPCCaller {
    /// The progress of a call.
    private enum Call {
        /// The line is being written.
        case sent
        /// The caller waits.
        case waiting(CheckedContinuation<Result<[UInt8], RPCError>, Never>)
        /// The answer arrived before the caller began to wait.
        case answered(Result<[UInt8], RPCError>)
    }

    private let connection: DescriptorConnection
    private var calls: [Int64: Call] = [:]
    private var nextID: Int64 = 1
    private var queue: ClientEvents?
    private var reading: Task<Void, Never>?
    private var isClosed = false

    /// Makes a client of a connection and begins to read.
    package init(_ connection: DescriptorConnection) async {
        self.connection = connection
        reading = Task { await read() }
    }

    /// Connects to a node's socket.
    package static func connect(to path: SocketPath) async throws(RPCServerError) -> RPCClient {
        let descriptor = try path.connect()
        return await RPCClient(
            try DescriptorConnection(input: descriptor, output: descriptor, ownsDescriptors: true)
        )
    }

    /// Calls a method.
    package func call<Method: RPCMethod>(_ method: Method) async throws(RPCError) -> Method.Reply {
        guard !isClosed else { throw Self.gone }
        let id = nextID
        nextID += 1
        guard let line = try? RPCCoding.encode(Request(method: Method.name, id: id, params: method)),
            line.count <= RPCLimits.lineByteCount
        else {
            throw RPCError(.tooLarge, "The request is too long for one line.")
        }
        calls[id] = .sent
        do {
            try await connection.write(line)
        } catch {
            calls[id] = nil
            throw Self.gone
        }
        let answer = try await answer(to: id).get()
        guard let response = try? RPCCoding.decode(Response<Method.Reply>.self, from: answer) else {
            throw RPCError(.internalError, "The node's answer to `\(Method.name)` cannot be read.")
        }
        if let error = response.error { throw error }
        guard let reply = response.result else {
            throw RPCError(.internalError, "The node's answer to `\(Method.name)` is empty.")
        }
        return reply
    }

    /// Subscribes to events; a client has one stream of events, and a second subscription ends the first stream.
    package func events(_ types: [String]? = nil) async throws(RPCError) -> AsyncStream<RPCEvent> {
        queue?.finish()
        let queue = ClientEvents()
        self.queue = queue
        _ = try await call(SubscribeCall(events: types))
        return queue.stream
    }

    /// Closes the connection.
    package func close() async {
        connection.cancel()
        await reading?.value
    }

    private static var gone: RPCError {
        RPCError(.unavailable, "The node has closed the connection.")
    }

    private func answer(to id: Int64) async -> Result<[UInt8], RPCError> {
        if case .answered(let answer) = calls.removeValue(forKey: id) { return answer }
        guard !isClosed else { return .failure(Self.gone) }
        return await withCheckedContinuation { calls[id] = .waiting($0) }
    }

    private func read() async {
        var framer = LineFramer()
        do {
            for try await chunk in connection.chunks {
                for line in try framer.lines(adding: chunk) { receive(line) }
            }
        } catch {
            // A node that breaks the protocol is treated like a closed connection.
        }
        isClosed = true
        queue?.finish()
        for id in calls.keys.sorted() { settle(id, .failure(Self.gone)) }
    }

    private func receive(_ line: [UInt8]) {
        guard let head = try? RPCCoding.decode(Head.self, from: line) else { return }
        if let id = head.id {
            settle(id, .success(line))
        } else if head.method != nil {
            // An event of a type that this release does not know is ignored.
            guard let event = try? RPCCoding.decode(RPCNotification.self, from: line).params else { return }
            queue?.add(event)
        } else if let error = head.error {
            // The node could not name the request that it refused, so all of them fail.
            for id in calls.keys.sorted() { settle(id, .failure(error)) }
        }
    }

    private func settle(_ id: Int64, _ answer: Result<[UInt8], RPCError>) {
        switch calls[id] {
        case .sent: calls[id] = .answered(answer)
        case .waiting(let continuation):
            calls[id] = nil
            continuation.resume(returning: answer)
        case .answered, nil: break
        }
    }
}

extension RPCClient {
    private struct Request<Parameters: Encodable>: Encodable {
        var jsonrpc = "2.0"
        let method: String
        let id: Int64
        let params: Parameters
    }

    private struct Head: Decodable {
        let id: Int64?
        let method: String?
        let error: RPCError?
    }

    private struct Response<Reply: Decodable>: Decodable {
        let result: Reply?
        let error: RPCError?
    }
}
