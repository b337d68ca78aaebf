import ChatCrypto
import Earshot

/// Erases a conversation here, or everything, and then the node ends.
package struct EraseCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "erase"
    /// The names of its parameters.
    package static let parameters = ["conversation", "everything"]
    /// Everything can be erased while the node is locked.
    package static let needsKeys = false

    private let conversation: String?
    private let everything: Bool?

    /// Makes a call that erases a conversation.
    package init(conversation: String) {
        self.conversation = conversation
        everything = nil
    }

    /// Makes a call that erases everything.
    package init() {
        conversation = nil
        everything = true
    }

    /// Whether nothing is left of the node afterwards.
    package var isEverything: Bool { conversation == nil && everything == true }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        guard let conversation else {
            guard everything == true else { throw Self.unclear }
            try await RPCError.translating { () throws(ChatError) in try await node.erase() }
            return EmptyReply()
        }
        guard everything == nil else { throw Self.unclear }
        try await RPCError.translating { () throws(ChatError) in
            guard await !node.isLocked else {
                throw ChatError(.locked, "The node is locked: unlock it with its passphrase.")
            }
            try await node.eraseConversation(try await node.conversation(named: conversation))
        }
        return EmptyReply()
    }

    private static let unclear = RPCError(
        .invalidParameters,
        "Say what to erase: the parameter `conversation`, or `everything` as true."
    )
}
