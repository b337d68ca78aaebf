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
    /// `image` or `voice` where all that goes with it is such, else `text`, or `file` for files without a text.
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
        kind = Self.kind(of: message)
        text = message.text
        files = message.files.isEmpty ? nil : message.files.map(FileReply.init)
        sentAt = message.sentAt
        receivedAt = message.receivedAt
        status = message.status.name
        reason = message.status.failureName
        outgoing = message.isOutgoing
        request = message.isRequest
    }

    private static func kind(of message: Message) -> String {
        let kinds = Set(message.files.map(\.mediaKind))
        if kinds.count == 1, case let kind?? = kinds.first { return kind }
        return message.text.isEmpty ? "file" : "text"
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
    /// Units: pixels of a picture, as its sender says; absent for what is none.
    package let width: Int?
    /// Units: pixels of a picture, as its sender says; absent for what is none.
    package let height: Int?
    /// Units: seconds of a voice note, as its sender says; absent for what is none.
    package let duration: Double?
    /// The waveform of a voice note in 64 bytes, as its sender says; absent for what is none.
    package let peaks: Data?
    /// Whether a voice note is the first minute of something longer; absent for what is none.
    package let cut: Bool?

    /// Puts a file into words of the wire.
    package init(_ file: MessageFile) {
        name = file.name
        type = file.type
        size = file.byteCount
        complete = file.isComplete
        var image: ImageFacts?
        var voice: VoiceFacts?
        switch file.media {
        case .image(let facts): image = facts
        case .voice(let facts): voice = facts
        case nil: break
        }
        width = image?.width
        height = image?.height
        duration = voice.map { Double($0.milliseconds) / 1_000 }
        peaks = voice.map { Data($0.peaks) }
        cut = voice?.isCut
    }
}

extension MessageFile {
    /// What faces call such a message; nil for what is only a file.
    fileprivate var mediaKind: String? {
        switch media {
        case .image: "image"
        case .voice: "voice"
        case nil: nil
        }
    }
}

extension DeliveryStatus {
    /// Why the message will not arrive, as programs read it.
    var failureName: String? {
        guard case .failed(let failure) = self else { return nil }
        return failure.rawValue
    }
}
