package import Earshot

/// Turns a client's line into the line that answers it.
///
/// No sockets, no state: what a client has asked for so far is the session's.
package struct RPCDispatcher: Sendable {
    /// The result of a line.
    package struct Answer: Sendable {
        /// The line to send; nil where nothing but notifications came.
        package var line: [UInt8]?
        /// The client's subscription, with the events from that moment on.
        package var subscription: Subscription?
        /// Whether the node is to end.
        package var endsNode = false
    }

    /// A client's wish for events.
    package struct Subscription: Sendable {
        /// The types wanted; nil for all.
        package let types: Set<String>?
        /// The events.
        package let events: AsyncStream<ChatEvent>
    }

    /// The node that everything is asked of.
    package let node: ChatNode

    /// The methods that the client may call.
    private let access: RPCAccess
    /// The opener of the node's page; nil without one.
    private let openPage: PageOpening?
    /// Ends the sessions of the page, or all but the client's own; nil where there is no page.
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

    /// Answers a line, whatever it holds.
    package func answer(_ line: [UInt8]) async -> Answer {
        await self.answer(RPCLine.read(line))
    }

    /// Answers what a line held.
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

    /// The line for an error that belongs to no request.
    package static func line(_ error: RPCError) -> [UInt8] {
        line(RPCResponse(id: .null, outcome: .failure(error)), id: .null)
    }

    /// The line for an event.
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
            // A locked node is not to be unlocked from elsewhere.
            if method is LockCall || method is EndPageCall { await endPage?() }
            if let subscribe = method as? SubscribeCall {
                answer.subscription = Subscription(types: subscribe.events.map(Set.init), events: await node.events())
            }
            if method is ShutdownCall || (method as? EraseCall)?.isEverything == true { answer.endsNode = true }
            return .success(reply)
        } catch {
            return .failure(RPCError(error))
        }
    }

    /// Calls a method of a node of this process, and turns what it throws into an error of the wire.
    static func call<Method: RPCMethod>(_ method: Method, of node: ChatNode) async throws(RPCError) -> Method.Reply {
        do {
            return try await method.perform(on: node)
        } catch {
            throw RPCError(error)
        }
    }

    /// Refuses what a locked node cannot do; an act of a person is a sign that the user is there.
    func admit(isAct: Bool) async throws(RPCError) {
        guard await !node.isLocked else {
            throw RPCError(.locked, "The node is locked: `unlock` it with its passphrase.")
        }
        if isAct { await node.noteUse() }
    }

    private static func line(_ value: some Encodable, id: RPCIdentifier) -> [UInt8] {
        guard let line = try? RPCCoding.encode(value) else {
            return fallback(RPCError(.internalError, "The answer cannot be written as JSON."), id: id)
        }
        guard line.count <= RPCLimits.lineByteCount else {
            var error = RPCError(.tooLarge, "The answer is longer than a line may be; ask for less at a time.")
            error.data?.limit = RPCLimits.lineByteCount
            return fallback(error, id: id)
        }
        return line
    }

    /// An error's line; an id too long to be given back is answered as null.
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
