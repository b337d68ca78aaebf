import ChatCrypto
package import Earshot
package import Foundation

package struct SendCall: RPCMethod {
    package static let name = "send"
    package static let summary = "Sends a text and attachments; returns once the message is durable."
    package static let parameters: RPCParameters = [
        "to": Meaning.conversation, "text": "The text.",
        "files": "Absolute paths of files on the node's machine.",
        "images": "Absolute paths of pictures, which are stripped of metadata and follow the files.",
        "longestEdge": "The largest number of pixels of a picture's longer edge.",
        "voices": "Absolute paths of recordings, which become voice notes and come last.",
        "replyTo": Meaning.replyTo,
        "mentions": "The peers that an ambiguous `@name` in the text means, each as in `peer` of `verify`.",
        "expiresAfter": Meaning.expiresAfter,
    ]
    package static let example = SendCall(to: "Bob", text: "The map, @Bob.", files: ["{folder}/map.txt"])

    /// A message that was sent.
    package struct Reply: Codable, Hashable, Sendable {
        /// The message's ID.
        ///
        /// Shape: 32 hexadecimal digits.
        package let message: String
        /// True if the status is that of a sample, in a large group: 12 of 16 randomly chosen members make a message delivered.
        ///
        /// Absent for all other messages.
        package let sampled: Bool?

        init(_ sent: Message) {
            message = sent.id.description
            sampled = sent.isSampled ? true : nil
        }
    }

    /// The optional parameters besides text and files.
    package struct Options: Sendable {
        /// The ID of the message that this one answers.
        package var replyTo: String?
        /// The peers that the text mentions.
        package var mentions: [String] = []
        /// The disappearing-messages timer.
        ///
        /// Units: seconds after the message was read; 0 for never.
        package var expiresAfter: Double?

        package init() {}
    }

    let to: String
    let text: String?
    let files: [String]?
    let images: [String]?
    let longestEdge: Int?
    let voices: [String]?
    let replyTo: String?
    let mentions: [String]?
    let expiresAfter: Double?

    /// The parameters that hold file paths.
    static let pathParameters = ["files", "images", "voices"]

    /// Whether the call names any file path.
    var namesPaths: Bool { files != nil || images != nil || voices != nil }

    package init(
        to: String,
        text: String,
        files: [String] = [],
        images: [String] = [],
        longestEdge: Int? = nil,
        voices: [String] = [],
        _ options: Options = Options()
    ) {
        (self.to, self.text, self.longestEdge) = (to, text, longestEdge)
        self.files = files.isEmpty ? nil : files
        self.images = images.isEmpty ? nil : images
        self.voices = voices.isEmpty ? nil : voices
        replyTo = options.replyTo
        mentions = options.mentions.isEmpty ? nil : options.mentions
        expiresAfter = options.expiresAfter
    }

    package func perform(on node: ChatNode) async throws -> Reply {
        try await perform(on: node, files: try drafts())
    }

    /// The named attachments, in the order in which they are sent.
    func drafts() throws(RPCError) -> [FileDraft] {
        try Self.places(files, "files").map { FileDraft($0) }
            + Self.places(images, "images").map { .image($0, longestEdge: longestEdge) }
            + Self.places(voices, "voices").map { .voice($0) }
    }

    /// Sends the given files in place of the named ones.
    func perform(on node: ChatNode, files drafts: [FileDraft]) async throws -> Reply {
        guard longestEdge ?? 1 > 0 else {
            throw RPCError(.invalidParameters, "The parameter `longestEdge` is a number of pixels from 1 on.")
        }
        var options = try MessageOptions(replyTo: replyTo, expiresAfter: expiresAfter)
        let conversation = try await node.conversations.named(to)
        for name in mentions ?? [] {
            options.mentions.append(try await node.contacts.id(named: name, in: conversation.id))
        }
        return Reply(try await conversation.send(text ?? "", files: drafts, options))
    }

    private static func places(_ paths: [String]?, _ name: String) throws(RPCError) -> [URL] {
        guard let paths else { return [] }
        guard paths.allSatisfy({ $0.hasPrefix("/") }) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` holds paths that begin with /.")
        }
        return paths.map { URL(filePath: $0) }
    }
}

package struct EditCall: RPCMethod {
    package static let name = "edit"
    package static let summary = "Replaces the text of an own message."
    package static let parameters: RPCParameters = ["message": Meaning.message, "text": "The new text."]
    package static let example = EditCall(message: "{send}", text: "The new map, @Bob.")

    let message: String
    let text: String

    package init(message: String, text: String) { (self.message, self.text) = (message, text) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.edit(id, to: text)
        return EmptyReply()
    }
}

package struct ReactCall: RPCMethod {
    package static let name = "react"
    package static let summary = "Adds an emoji to a message, or removes it."
    package static let parameters: RPCParameters = [
        "message": Meaning.message, "emoji": "One emoji.",
        "on": "Whether the emoji is to be there; the opposite of now by default.",
    ]
    package static let example = ReactCall(message: "{send}", emoji: "🦊")

    let message: String
    let emoji: String
    let on: Bool?

    package init(message: String, emoji: String, on: Bool? = nil) {
        (self.message, self.emoji, self.on) = (message, emoji, on)
    }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.react(emoji, to: id, isOn: on)
        return EmptyReply()
    }
}

package struct DeleteCall: RPCMethod {
    package static let name = "delete"
    package static let summary = "Deletes a message."
    package static let parameters: RPCParameters = [
        "message": Meaning.message,
        "forEveryone": "Whether to delete it on all nodes, for an own message; false by default.",
    ]
    package static let example = DeleteCall(message: "{send}", forEveryone: true)

    let message: String
    let forEveryone: Bool?

    package init(message: String, forEveryone: Bool? = nil) {
        (self.message, self.forEveryone) = (message, forEveryone)
    }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.delete(id, forEveryone: forEveryone ?? false)
        return EmptyReply()
    }
}

package struct CancelCall: RPCMethod {
    package static let name = "cancel"
    package static let summary = "Takes an own message out of the outbox."
    package static let parameters: RPCParameters = ["message": Meaning.message]
    package static let example = CancelCall(message: "{timer}")

    let message: String

    package init(message: String) { self.message = message }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("message", message)
        try await conversation.cancel(id)
        return EmptyReply()
    }
}

package struct DeliveriesCall: RPCMethod {
    package static let name = "deliveries"
    package static let summary = "Returns the status of an own message for each recipient."
    package static let parameters: RPCParameters = ["message": Meaning.message]
    package static let example = DeliveriesCall(message: "{poll.create}")

    /// The delivery status of a message for one recipient.
    package struct Delivery: Codable, Hashable, Sendable {
        /// A hub that has acknowledged the message, and the time.
        package struct Copy: Codable, Hashable, Sendable {
            package let hub: String
            package let time: Date
        }

        /// The recipient's peer ID.
        package let recipient: String
        /// The delivery status.
        package let status: String
        /// The reason for which the message will not arrive, for `failed`.
        package let reason: String?
        /// The hubs that have acknowledged the message for the recipient, as far as the node knows.
        package let copies: [Copy]?

        init(_ delivery: RecipientDelivery) {
            recipient = delivery.recipient.description
            copies = delivery.copies.isEmpty ? nil : delivery.copies.map { Copy(hub: $0.hub, time: $0.time.date) }
            status = delivery.status.name
            reason = delivery.status.failureName
        }
    }

    let message: String

    package init(message: String) { self.message = message }

    package func perform(on node: ChatNode) async throws -> [Delivery] {
        let (conversation, id) = try await node.holding("message", message)
        return try await conversation.presentDeliveries(of: id).map(Delivery.init)
    }
}

package struct TypingCall: RPCMethod {
    package static let name = "typing"
    package static let summary = "Sends a typing indicator, if the settings allow it."
    package static let parameters: RPCParameters = [
        "to": Meaning.conversation, "active": "False once the user has stopped; true by default.",
    ]
    package static let example = TypingCall(to: "Bob")

    let to: String
    let active: Bool?

    package init(to: String, active: Bool? = nil) { (self.to, self.active) = (to, active) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        try await node.conversations.named(to).setTyping(active ?? true)
        return EmptyReply()
    }
}

extension MessageOptions {
    /// Reads the parameters that messages and polls share.
    init(replyTo: String?, expiresAfter: Double?) throws(RPCError) {
        let original: MessageID? = if let replyTo { try MessageID(parameter: "replyTo", replyTo) } else { nil }
        self.init(replyTo: original, expiresAfter: try Duration(parameter: "expiresAfter", expiresAfter))
    }
}
