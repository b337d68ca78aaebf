/// Tells that a person is at the client, of whom the node hears nothing else while they only read.
package struct PresentCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "present"
    /// It takes none.
    package static let parameters: [String] = []

    /// Makes the call.
    package init() {}

    /// Does nothing: the act itself is what counts.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        EmptyReply()
    }
}
