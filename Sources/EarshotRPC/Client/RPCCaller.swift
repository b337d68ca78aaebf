/// A node whose methods a program can call, in this process or another.
package protocol RPCCaller: Sendable {
    /// Calls a method.
    func call<Method: RPCMethod>(_ method: Method) async throws(RPCError) -> Method.Reply

    /// Subscribes to events; the stream holds the events from now on and ends with the node.
    ///
    /// - Parameter types: the requested types of events; nil for all.
    func events(_ types: [String]?) async throws(RPCError) -> AsyncStream<RPCEvent>
}
