/// A node to call methods of, wherever it runs.
package protocol RPCCaller: Sendable {
    /// Calls a method.
    func call<Method: RPCMethod>(_ method: Method) async throws(RPCError) -> Method.Reply

    /// Subscribes; what happens from here on comes in the stream, which ends with the node.
    ///
    /// - Parameter types: The types of events wanted; nil for all.
    func events(_ types: [String]?) async throws(RPCError) -> AsyncStream<RPCEvent>
}
