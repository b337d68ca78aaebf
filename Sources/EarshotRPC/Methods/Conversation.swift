import ChatCrypto
package import Earshot
package import Foundation

package struct ConversationsCall: RPCMethod {
    package static let name = "conversations"
    package static let summary = "Lists the conversations, the pinned ones first, then the one with the newest message."
    package static let example = ConversationsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> [ConversationReply] {
        try await node.conversations.all().map(ConversationReply.init)
    }
}

package struct MarkReadCall: RPCMethod {
    package static let name = "markRead"
    package static let summary = "Marks the messages of a conversation as read."
    package static let parameters: RPCParameters = [
        "conversation": Meaning.conversation, "upTo": "The id of the newest message that was read; all by default.",
    ]
    package static let example = MarkReadCall(conversation: "Bob")

    let conversation: String
    let upTo: String?

    package init(conversation: String, upTo: String? = nil) { (self.conversation, self.upTo) = (conversation, upTo) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let last: MessageID? = if let upTo { try MessageID(parameter: "upTo", upTo) } else { nil }
        try await node.conversations.named(conversation).markRead(upTo: last)
        return EmptyReply()
    }
}

package struct MuteCall: RPCMethod {
    package static let name = "mute"
    package static let summary = "Mutes a conversation for a time; messages still arrive."
    package static let parameters: RPCParameters = [
        "conversation": Meaning.conversation, "until": "The end of that time; no end by default.",
    ]
    package static let example = MuteCall(conversation: "Bob")

    let conversation: String
    let until: Date?

    package init(conversation: String, until: Date? = nil) { (self.conversation, self.until) = (conversation, until) }

    package func perform(on node: ChatNode) async throws -> ConversationReply {
        let muted = try await node.conversations.named(conversation)
        return ConversationReply(try await muted.mute(until: until ?? .distantFuture))
    }
}

package struct UnmuteCall: RPCMethod {
    package static let name = "unmute"
    package static let summary = "Unmutes a conversation."
    package static let parameters: RPCParameters = ["conversation": Meaning.conversation]
    package static let example = UnmuteCall(conversation: "Bob")

    let conversation: String

    package init(conversation: String) { self.conversation = conversation }

    package func perform(on node: ChatNode) async throws -> ConversationReply {
        let muted = try await node.conversations.named(conversation)
        return ConversationReply(try await muted.mute(until: .distantPast))
    }
}

package struct PinCall: RPCMethod {
    package static let name = "pin"
    package static let summary = "Pins a conversation, so that lists show it first."
    package static let parameters: RPCParameters = ["conversation": Meaning.conversation]
    package static let example = PinCall(conversation: "Bob")

    let conversation: String

    package init(conversation: String) { self.conversation = conversation }

    package func perform(on node: ChatNode) async throws -> ConversationReply {
        ConversationReply(try await node.conversations.named(conversation).setPinned(true))
    }
}

package struct UnpinCall: RPCMethod {
    package static let name = "unpin"
    package static let summary = "Unpins a conversation."
    package static let parameters: RPCParameters = ["conversation": Meaning.conversation]
    package static let example = UnpinCall(conversation: "Bob")

    let conversation: String

    package init(conversation: String) { self.conversation = conversation }

    package func perform(on node: ChatNode) async throws -> ConversationReply {
        ConversationReply(try await node.conversations.named(conversation).setPinned(false))
    }
}

struct DraftCall: RPCMethod {
    static let name = "draft"
    static let summary = "Returns the draft of a conversation, or sets it."
    static let parameters: RPCParameters = [
        "conversation": Meaning.conversation, "text": "The new draft, empty to delete it; absent to read it.",
    ]
    static let example = DraftCall(conversation: "Bob", text: "Dear Bob")

    /// The draft of a conversation.
    struct Reply: Codable {
        /// The text; empty for none.
        let text: String
    }

    let conversation: String
    let text: String?

    var isAct: Bool { text != nil }

    func perform(on node: ChatNode) async throws -> Reply {
        let known = try await node.conversations.named(conversation)
        if let text { try await known.setDraft(text) }
        return Reply(text: try await known.draft())
    }
}

package struct TimerCall: RPCMethod {
    package static let name = "timer"
    package static let summary = "Sets the disappearing-messages timer of a conversation."
    package static let parameters: RPCParameters = [
        "conversation": Meaning.conversation,
        "expiresAfter": "Seconds after which new messages disappear once they are read; 0 for never.",
    ]
    package static let example = TimerCall(conversation: "Carol", expiresAfter: 3_600)

    let conversation: String
    let expiresAfter: Double

    package init(conversation: String, expiresAfter: Double) {
        (self.conversation, self.expiresAfter) = (conversation, expiresAfter)
    }

    package func perform(on node: ChatNode) async throws -> SendCall.Reply {
        guard let duration = try Duration(parameter: "expiresAfter", expiresAfter) else {
            throw RPCError(.invalidParameters, "The parameter `expiresAfter` is a number of seconds.")
        }
        return SendCall.Reply(try await node.conversations.named(conversation).setTimer(duration))
    }
}

package struct RetentionCall: RPCMethod {
    package static let name = "retention"
    package static let summary = "Returns the limits of the history, or sets them."
    package static let parameters: RPCParameters = [
        "conversation": "\(Meaning.conversation) By default all without limits of their own.",
        "age": "Seconds that messages are kept.", "messages": "The number of messages that are kept.",
        "bytes": "Bytes of texts and attachments that are kept.", "forever": "True to keep everything.",
        "own": "False to use the limits of all conversations for this one again.",
    ]
    package static let example = RetentionCall(conversation: "Bob", age: 86_400, messages: 100)

    let conversation: String?
    let age: Double?
    let messages: Int?
    let bytes: Int?
    let forever: Bool?
    let own: Bool?

    package var isAct: Bool { age != nil || messages != nil || bytes != nil || forever != nil || own != nil }

    package init(
        conversation: String? = nil,
        age: Double? = nil,
        messages: Int? = nil,
        bytes: Int? = nil,
        forever: Bool? = nil,
        own: Bool? = nil
    ) {
        (self.conversation, self.age, self.messages) = (conversation, age, messages)
        (self.bytes, self.forever, self.own) = (bytes, forever, own)
    }

    package func perform(on node: ChatNode) async throws -> RetentionReply {
        if let age, !(1...1e10).contains(age) {
            throw RPCError(.invalidParameters, "The parameter `age` is a number of seconds from 60 on.")
        }
        var known: ConversationHandle?
        if let conversation { known = try await node.conversations.named(conversation) }
        if own == false, let known {
            try await known.setRetention(nil)
        } else if forever == true || age != nil || messages != nil || bytes != nil {
            let span = age.map { Duration.seconds(Int64($0)) }
            let limits = Retention(age: span, messageCount: messages, byteCount: bytes)
            let chosen = forever == true ? .everything : limits
            if let known { try await known.setRetention(chosen) } else { try await node.history.setRetention(chosen) }
        }
        let now = if let known { try await known.retention() } else { try await node.history.retention() }
        return RetentionReply(now, of: known?.id)
    }
}

/// A conversation on the wire.
package struct ConversationReply: Codable, Hashable, Sendable {
    /// The conversation's name; that of a direct conversation is the peer's ID.
    package let id: String
    /// The kind of the conversation: `direct`, `group` or `room`.
    package let kind: String
    /// The title that this node shows.
    package let title: String
    /// The peer IDs of the other members.
    package let members: [String]
    /// The number of unread incoming messages.
    package let unread: Int
    /// Whether an unknown peer waits for the user's acceptance.
    package let request: Bool
    /// The newest message.
    package let last: MessageReply?
    /// The end of the time for which the conversation is muted; absent if it is not muted.
    package let mutedUntil: Date?
    /// True for a conversation that the user has pinned; absent for others.
    package let pinned: Bool?
    /// The disappearing-messages timer of new messages; absent for messages that stay.
    ///
    /// Units: seconds.
    package let expiresAfter: Double?

    package init(_ conversation: Conversation) {
        id = conversation.id.hex
        kind =
            switch conversation.id {
            case .direct: "direct"
            case .group: "group"
            case .room: "room"
            }
        title = conversation.title
        members = conversation.members.map(\.description)
        unread = conversation.unreadCount
        request = conversation.isRequest
        last = conversation.last.map(MessageReply.init)
        mutedUntil = conversation.mutedUntil
        pinned = conversation.isPinned ? true : nil
        expiresAfter = conversation.timer.map { Double($0.components.seconds) }
    }
}

/// The retention limits of a conversation, on the wire; a limit that is absent does not apply.
package struct RetentionReply: Codable, Hashable, Sendable {
    /// The conversation; absent for the limits of all conversations without their own.
    package let conversation: String?
    /// The age limit.
    ///
    /// Units: seconds.
    package let age: Double?
    /// The limit on the number of messages.
    package let messages: Int?
    /// The limit on texts and attachments.
    ///
    /// Units: bytes.
    package let bytes: Int?
    /// Whether the limits are the conversation's own.
    package let own: Bool

    package init(_ limits: ConversationRetention, of conversation: ConversationID?) {
        self.conversation = conversation?.hex
        age = limits.retention.age.map { Double($0.components.seconds) }
        messages = limits.retention.messageCount
        bytes = limits.retention.byteCount
        own = limits.isOwn
    }
}
