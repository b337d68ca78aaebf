import ChatCrypto
import Earshot

/// Sets after how long new messages of a conversation go once they were read.
package struct TimerCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "timer"
    /// The names of its parameters.
    package static let parameters = ["conversation", "expiresAfter"]

    /// The conversation: for a direct one the peer id, its beginning, or a nickname; `group:` and a title for a group.
    package let conversation: String
    /// Units: seconds; 0 for never.
    package let expiresAfter: Double

    /// Makes the call.
    package init(conversation: String, expiresAfter: Double) {
        self.conversation = conversation
        self.expiresAfter = expiresAfter
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> SendCall.Reply {
        guard let duration = try Duration(parameter: "expiresAfter", expiresAfter) else {
            throw RPCError(.invalidParameters, "The parameter `expiresAfter` is a number of seconds.")
        }
        do {
            let named = try await node.conversation(named: conversation)
            return SendCall.Reply(message: try await node.setTimer(duration, of: named).id.description)
        } catch {
            throw RPCError(error)
        }
    }
}
