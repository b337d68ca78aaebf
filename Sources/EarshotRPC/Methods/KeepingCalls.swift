import ChatCrypto
package import Earshot

/// How much is kept of a conversation, or of all that have no limits of their own: asks for it, or sets it.
package struct RetentionCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "retention"
    /// The names of its parameters.
    package static let parameters = ["conversation", "age", "messages", "bytes", "forever", "own"]

    /// The conversation; nil for all that have no limits of their own.
    package let conversation: String?
    /// Units: seconds that messages are kept.
    package let age: Double?
    /// How many messages are kept.
    package let messages: Int?
    /// Units: bytes of texts and files that are kept.
    package let bytes: Int?
    /// Whether everything is to be kept.
    package let forever: Bool?
    /// False to let the limits of all hold again for a conversation.
    package let own: Bool?

    /// Whether it sets something.
    package var isAct: Bool { age != nil || messages != nil || bytes != nil || forever != nil || own != nil }

    /// Makes the call; without limits it asks.
    package init(
        conversation: String? = nil,
        age: Double? = nil,
        messages: Int? = nil,
        bytes: Int? = nil,
        forever: Bool? = nil,
        own: Bool? = nil
    ) {
        self.conversation = conversation
        self.age = age
        self.messages = messages
        self.bytes = bytes
        self.forever = forever
        self.own = own
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> RetentionReply {
        if let age, !(1...1e10).contains(age) {
            throw RPCError(.invalidParameters, "The parameter `age` is a number of seconds from 60 on.")
        }
        return try await RPCError.translating { () async throws(ChatError) in
            var known: ConversationID?
            if let conversation { known = try await node.conversation(named: conversation) }
            if own == false, known != nil {
                try await node.setRetention(nil, of: known)
            } else if forever == true || age != nil || messages != nil || bytes != nil {
                let span = age.map { Duration.seconds(Int64($0)) }
                let limits = Retention(age: span, messageCount: messages, byteCount: bytes)
                try await node.setRetention(forever == true ? .everything : limits, of: known)
            }
            return RetentionReply(try await node.retention(of: known), of: known)
        }
    }
}

/// How much is kept of a conversation, on the wire; a limit that is absent is none.
package struct RetentionReply: Codable, Hashable, Sendable {
    /// The conversation; absent for all that have no limits of their own.
    package let conversation: String?
    /// Units: seconds.
    package let age: Double?
    /// Messages.
    package let messages: Int?
    /// Units: bytes.
    package let bytes: Int?
    /// Whether the limits are the conversation's own.
    package let own: Bool

    /// Puts limits into words of the wire.
    package init(_ limits: ConversationRetention, of conversation: ConversationID?) {
        self.conversation = conversation?.description
        age = limits.retention.age.map { Double($0.components.seconds) }
        messages = limits.retention.messageCount
        bytes = limits.retention.byteCount
        own = limits.isOwn
    }
}

/// Deletes all messages of a conversation on this node.
package struct HistoryDeleteCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history.delete"
    /// The names of its parameters.
    package static let parameters = ["conversation"]

    /// The conversation: a peer id, its beginning, a nickname, or `group:` and a title.
    package let conversation: String

    /// Makes the call.
    package init(conversation: String) {
        self.conversation = conversation
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        try await RPCError.translating { () async throws(ChatError) in
            try await node.deleteHistory(of: try await node.conversation(named: conversation))
        }
        return EmptyReply()
    }
}

/// What the user has begun to write in a conversation: asks for it, or sets it.
package struct DraftCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "draft"
    /// The names of its parameters.
    package static let parameters = ["conversation", "text"]

    /// The conversation: a peer id, its beginning, a nickname, or `group:` and a title.
    package let conversation: String
    /// What is begun; nil to ask, empty to forget it.
    package let text: String?

    /// Whether it sets something.
    package var isAct: Bool { text != nil }

    /// Makes the call.
    package init(conversation: String, text: String? = nil) {
        self.conversation = conversation
        self.text = text
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> DraftReply {
        try await RPCError.translating { () async throws(ChatError) in
            let known = try await node.conversation(named: conversation)
            if let text { try await node.setDraft(text, in: known) }
            return DraftReply(text: try await node.draft(in: known))
        }
    }
}

/// What the user has begun to write, on the wire.
package struct DraftReply: Codable, Hashable, Sendable {
    /// The text; empty for nothing.
    package let text: String
}

/// Pins a conversation, so that lists have it before others.
package struct PinCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "pin"
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
        try await Self.pin(conversation, true, on: node)
    }

    static func pin(
        _ who: String,
        _ isPinned: Bool,
        on node: any RPCNode
    ) async throws(RPCError) -> ConversationReply {
        try await RPCError.translating { () async throws(ChatError) in
            ConversationReply(try await node.pin(try await node.conversation(named: who), isPinned))
        }
    }
}

/// Lets a pinned conversation go.
package struct UnpinCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "unpin"
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
        try await PinCall.pin(conversation, false, on: node)
    }
}
