/// Ends the node's process cleanly; the session tells the process once the answer is out.
package struct ShutdownCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "shutdown"
    /// It takes none.
    package static let parameters: [String] = []
    /// It tells and changes nothing of what is in the home.
    package static let needsKeys = false

    /// Makes the call.
    package init() {}

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        EmptyReply()
    }
}
