import ChatCrypto
import Earshot
package import Foundation

/// Wants no notices of a conversation for a while.
package struct MuteCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "mute"
    /// The names of its parameters.
    package static let parameters = ["conversation", "until"]

    /// The conversation: a peer id, its beginning, a nickname, or `group:` and a title.
    package let conversation: String
    /// The end of the while; nil to hear nothing more.
    package let until: Date?

    /// Makes the call.
    package init(conversation: String, until: Date? = nil) {
        self.conversation = conversation
        self.until = until
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> ConversationReply {
        do {
            let muted = try await node.conversation(named: conversation)
            return ConversationReply(try await node.mute(muted, until: until ?? .distantFuture))
        } catch {
            throw RPCError(error)
        }
    }
}

/// Wants notices of a conversation again.
package struct UnmuteCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "unmute"
    /// The names of its parameters.
    package static let parameters = ["conversation"]

    /// The conversation: a peer id, its beginning, a nickname, or `group:` and a title.
    package let conversation: String

    /// Makes the call.
    package init(conversation: String) {
        self.conversation = conversation
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> ConversationReply {
        try await MuteCall(conversation: conversation, until: .distantPast).perform(on: node)
    }
}
