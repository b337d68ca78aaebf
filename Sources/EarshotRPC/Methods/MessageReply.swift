import ChatCrypto
package import Earshot
package import Foundation

/// A message on the wire.
package struct MessageReply: Codable, Hashable, Sendable {
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The conversation's name.
    package let conversation: String
    /// The peer id of who wrote it.
    package let from: String
    /// What that peer is called here.
    package let fromName: String
    /// `text`, or `file` for files without a text.
    package let kind: String
    /// The text.
    package let text: String
    /// What goes with it; absent where that is nothing.
    package let files: [FileReply]?
    /// The sender's clock.
    package let sentAt: Date
    /// This node's clock.
    package let receivedAt: Date
    /// How far it has come.
    package let status: String
    /// Why it will not arrive, for `failed`.
    package let reason: String?
    /// Whether this node's user wrote it.
    package let outgoing: Bool
    /// Whether it comes from a stranger that the user has not accepted.
    package let request: Bool

    /// Puts a message into words of the wire.
    package init(_ message: Message) {
        id = message.id.description
        conversation = message.conversation.description
        from = message.sender.description
        fromName = message.senderName
        kind = message.text.isEmpty ? "file" : "text"
        text = message.text
        files = message.files.isEmpty ? nil : message.files.map(FileReply.init)
        sentAt = message.sentAt
        receivedAt = message.receivedAt
        status = message.status.name
        reason = message.status.failureName
        outgoing = message.isOutgoing
        request = message.isRequest
    }
}

/// A file of a message on the wire.
package struct FileReply: Codable, Hashable, Sendable {
    /// What its sender calls it, made safe.
    package let name: String
    /// The media type.
    package let type: String
    /// Units: bytes.
    package let size: UInt64
    /// Whether all of it is here.
    package let complete: Bool

    /// Puts a file into words of the wire.
    package init(_ file: MessageFile) {
        name = file.name
        type = file.type
        size = file.byteCount
        complete = file.isComplete
    }
}

extension DeliveryStatus {
    /// Why the message will not arrive, as programs read it.
    var failureName: String? {
        guard case .failed(let failure) = self else { return nil }
        return failure.rawValue
    }
}
