package import Earshot

/// The dispatcher that turns a client's line into the line that answers it.
///
/// It has no sockets and no state. The session keeps the client's subscription.
package struct RPCDispatcher: Sendable {
    /// The result of a line.
    package struct Answer: Sendable {
        /// The line to send; nil if the client sent only notifications.
        package var line: [UInt8]?
        /// The client's new subscription, with the events from this moment on.
        package var subscription: Subscription?
        /// Whether the node is to end.
        package var endsNode = false
    }

    /// A client's subscription to events.
    package struct Subscription: Sendable {
        /// The requested types; nil for all.
        package let types: Set<String>?
        /// The events.
        package let events: ChatEvents
    }

    /// The node that performs the calls.
    package let node: ChatNode

    /// The methods that the client may call.
    private let access: RPCAccess
    /// Opens the node's page; nil without a page.
    private let openPage: PageOpening?
    /// Ends the sessions of the page, or all except the client's own; nil without a page.
    private let endPage: PageEnding?

    /// Makes a dispatcher.
    package init(
        node: ChatNode,
        access: RPCAccess = .owner,
        openPage: PageOpening? = nil,
        endPage: PageEnding? = nil
    ) {
        self.node = node
        self.access = access
        self.openPage = openPage
        self.endPage = endPage
    }

    /// Answers any line.
    package func answer(_ line: [UInt8]) async -> Answer {
        await self.answer(RPCLine.read(line))
    }

    /// Answers a parsed line.
    func answer(_ line: Result<RPCLine, RPCError>) async -> Answer {
        var answer = Answer()
        do {
            switch try line.get() {
            case .single(let request):
                let response = await respond(to: request, in: &answer)
                answer.line = response.map { Self.line($0, id: $0.id) }
            case .batch(let requests):
                var responses: [RPCResponse] = []
                for request in requests {
                    if let response = await respond(to: request, in: &answer) { responses.append(response) }
                }
                answer.line = responses.isEmpty ? nil : Self.line(responses, id: .null)
            }
        } catch {
            answer.line = Self.line(error)
        }
        return answer
    }

    /// Makes the line for an error that belongs to no request.
    package static func line(_ error: RPCError) -> [UInt8] {
        line(RPCResponse(id: .null, outcome: .failure(error)), id: .null)
    }

    /// Makes the line for an event.
    package static func line(_ event: RPCEvent) -> [UInt8]? {
        try? RPCCoding.encode(RPCNotification(event))
    }

    private func respond(to request: RPCRequest, in answer: inout Answer) async -> RPCResponse? {
        let outcome: Result<any Encodable & Sendable, RPCError>
        switch request.call {
        case .success(let method): outcome = await perform(method, in: &answer)
        case .failure(let error): outcome = .failure(error)
        }
        return request.id.map { RPCResponse(id: $0, outcome: outcome) }
    }

    private func perform(
        _ method: some RPCMethod,
        in answer: inout Answer
    ) async -> Result<any Encodable & Sendable, RPCError> {
        do {
            try access.check(method)
            if type(of: method).needsKeys { try await admit(isAct: method.isAct) }
            if let openPage, let page = method as? PageCall { return .success(try await openPage(page)) }
            let reply = try await method.perform(on: node)
            // After a lock, no other session of the page may unlock the node.
            if method is LockCall || method is EndPageCall { await endPage?() }
            if let subscribe = method as? SubscribeCall {
                answer.subscription = Subscription(types: subscribe.events.map(Set.init), events: try node.events())
            }
            if method is ShutdownCall || (method as? EraseCall)?.isEverything == true { answer.endsNode = true }
            return .success(reply)
        } catch {
            return .failure(RPCError(error))
        }
    }

    /// Calls a method of a node in this process, and turns its errors into errors of the wire.
    static func call<Method: RPCMethod>(_ method: Method, of node: ChatNode) async throws(RPCError) -> Method.Reply {
        do {
            return try await method.perform(on: node)
        } catch {
            throw RPCError(error)
        }
    }

    /// Refuses the call if the node is locked; an act of the user shows that the user is present.
    func admit(isAct: Bool) async throws(RPCError) {
        guard await !node.isLocked else {
            throw RPCError(.locked, "The node is locked. Use `unlock` with its passphrase.")
        }
        if isAct { await node.noteActivity() }
    }

    private static func line(_ value: some Encodable, id: RPCIdentifier) -> [UInt8] {
        guard let line = try? RPCCoding.encode(value) else {
            return fallback(RPCError(.internalError, "The answer cannot be written as JSON."), id: id)
        }
        guard line.count <= RPCLimits.lineByteCount else {
            var error = RPCError(.tooLarge, "The answer is too long for one line. Ask for less at a time.")
            error.data?.limit = RPCLimits.lineByteCount
            return fallback(error, id: id)
        }
        return line
    }

    /// Makes the line of an error; an ID that is too long is answered as null.
    private static func fallback(_ error: RPCError, id: RPCIdentifier) -> [UInt8] {
        for id in [id, .null] {
            if let line = try? RPCCoding.encode(RPCResponse(id: id, outcome: .failure(error))),
                line.count <= RPCLimits.lineByteCount
            {
                return line
            }
        }
        return []
    }
}
