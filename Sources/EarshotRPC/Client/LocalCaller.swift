package import Earshot

/// A caller of a node in this process.
package struct LocalCaller: RPCCaller {
    private let node: ChatNode

    /// Makes a caller of a node.
    package init(node: ChatNode) {
        self.node = node
    }

    /// Calls a method.
    package func call<Method: RPCMethod>(_ method: Method) async throws(RPCError) -> Method.Reply {
        try await RPCDispatcher.call(method, of: node)
    }

    /// Subscribes to events.
    package func events(_ types: [String]?) async throws(RPCError) -> AsyncStream<RPCEvent> {
        _ = try await call(SubscribeCall(events: types))
        let events: ChatEvents
        do {
            events = try node.events()
        } catch {
            throw RPCError(error)
        }
        return AsyncStream { continuation in
            let pump = Task {
                for await event in events.map(RPCEvent.init) where types?.contains(event.type) ?? true {
                    continuation.yield(event)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in pump.cancel() }
        }
    }
}
