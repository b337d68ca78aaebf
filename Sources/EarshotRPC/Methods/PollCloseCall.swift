import ChatCrypto
import Earshot

/// Ends an own poll.
package struct PollCloseCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "poll.close"
    /// The names of its parameters.
    package static let parameters = ["poll"]

    /// The id of the poll's message.
    package let poll: String

    /// Makes the call.
    package init(poll: String) {
        self.poll = poll
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let id = try MessageID(parameter: "poll", poll)
        do {
            try await node.closePoll(id)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
