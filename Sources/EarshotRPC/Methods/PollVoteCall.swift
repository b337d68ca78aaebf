import ChatCrypto
import Earshot

/// Votes in a poll.
package struct PollVoteCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "poll.vote"
    /// The names of its parameters.
    package static let parameters = ["poll", "options"]

    /// The id of the poll's message.
    package let poll: String
    /// The options by their places, from 0; none takes the vote back.
    package let options: [Int]

    /// Makes the call.
    package init(poll: String, options: [Int]) {
        self.poll = poll
        self.options = options
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let id = try MessageID(parameter: "poll", poll)
        do {
            try await node.vote(options, in: id)
            return EmptyReply()
        } catch {
            throw RPCError(error)
        }
    }
}
