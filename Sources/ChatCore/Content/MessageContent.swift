package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// Reads and writes the contents that are sealed in session messages.
///
/// Source: PROTOCOL §10.
package enum MessageContent {
    /// A text with its files.
    package struct Text: Equatable {
        /// The text in the content itself.
        package var text = ""
        /// The files that are sent beside it.
        package var files: [FileReference] = []
        /// The text, if it is too long for the content.
        package var longText: FileReference?

        package init(_ text: String = "", files: [FileReference] = [], longText: FileReference? = nil) {
            self.text = text
            self.files = files
            self.longText = longText
        }

        /// All attachments by their index.
        var attachments: [(index: Int, reference: FileReference)] {
            files.enumerated().map { ($0, $1) } + (longText.map { [(BlobID.longTextIndex, $0)] } ?? [])
        }
    }

    /// A list of messages that have arrived.
    package struct Receipt: Equatable {
        /// Messages that the sender has stored.
        package var delivered: [MessageID] = []
        /// Messages that the sender's user has read.
        package var read: [MessageID] = []
        /// The release hashes of envelopes: the sender has stored all their contents.
        package var packs: [[UInt8]] = []
    }

    /// A checked content; content of a newer kind is `unknown` and kept as it is.
    package enum Body: Equatable {
        /// A text with its files.
        case text(Text)
        /// Messages that the sender has stored, or that the sender's user has read.
        case receipt(Receipt)
        /// A question with options.
        case poll(Poll)
        /// The disappearing-messages timer of the conversation from now on, in seconds; the setting's number.
        case timer(UInt32, number: UInt32)
        /// A change of a message that was sent before.
        case change(of: MessageID, MessageChange)
        /// A control message between members of groups, as ``ControlMessage`` reads it.
        case groupNote([UInt8])
        /// A statement about an identity.
        case statement(IdentityStatement)
        /// Content that only newer versions know.
        case unknown

        /// Whether it has a position in the history, shown by this version or not.
        var isMessage: Bool {
            switch self {
            case .text, .poll, .timer, .unknown: true
            case .receipt, .change, .groupNote, .statement: false
            }
        }

        /// Whether it is a receipt.
        var isReceipt: Bool { if case .receipt = self { true } else { false } }

        /// Whether a receipt confirms it.
        var isConfirmed: Bool {
            if case .change = self { true } else { isMessage }
        }

        /// Whether a person wrote it, so that it counts as unread until the user has seen it.
        var isWritten: Bool {
            switch self {
            case .text, .poll: true
            case .receipt, .timer, .change, .groupNote, .statement, .unknown: false
            }
        }
    }

    /// A decoded content.
    package struct Decoded: Equatable {
        package var body: Body
        /// The time by the sender's clock.
        ///
        /// Units: milliseconds since 1970.
        package var sentAt: UInt64
        package var order: UInt64
        package var context: MessageContext
        /// Whether its receipt may go along the trail of its post.
        package var mayFollowTrail = false

        package init(_ body: Body, sentAt: UInt64, order: UInt64, context: MessageContext = MessageContext()) {
            self.body = body
            self.sentAt = sentAt
            self.order = order
            self.context = context
        }
    }

    /// Encodes a content that has a position in the history.
    static func message(_ decoded: Decoded, salt: [UInt8]) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = decoded.sentAt
        content.salt = .bytes(salt)
        content.order = decoded.order
        switch decoded.body {
        case .text(let text):
            content.text.text = text.text
            content.text.files = text.files.map(\.encoded)
            if let longText = text.longText { content.text.longText = longText.encodedAsLongText }
        case .poll(let poll): content.poll = poll.encoded
        case .timer(let seconds, let number):
            content.timer.seconds = seconds
            content.timer.revision = number
        case .receipt, .change, .groupNote, .statement, .unknown:
            preconditionFailure("\(decoded.body) has no place in the history")
        }
        content.replyTo = .bytes(decoded.context.replyTo?.bytes ?? [])
        content.mentions = decoded.context.mentions.map(\.encoded)
        content.expiresAfter = decoded.context.seconds
        return encoded(content)
    }

    /// Encodes the content of a change.
    static func change(
        of target: MessageID,
        _ change: MessageChange,
        salt: [UInt8],
        at time: ChatTime
    ) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.salt = .bytes(salt)
        content.body = change.encoded(target: target)
        return encoded(content)
    }

    /// Adds to a content that its receipt may go along the trail of its post; a content of full size stays as it is.
    static func withTrail(_ content: [UInt8]) -> [UInt8] {
        var field = ProtoContent()
        field.followTrail = true
        // Fields of an encoded message may be in any order, so appended fields become part of it.
        let whole = content + encoded(field)
        return whole.count <= SessionLimits.maximumFirstContentByteCount ? whole : content
    }

    /// Encodes the tombstone of a message whose content is removed.
    package static func tombstone(of content: [UInt8]) -> [UInt8] {
        let whole = try? ProtoContent(serializedBytes: content)
        var rest = ProtoContent()
        rest.sentAt = whole?.sentAt ?? 0
        rest.order = whole?.order ?? 0
        return encoded(rest)
    }

    /// Encodes the content of a receipt.
    static func receipt(_ receipt: Receipt, salt: [UInt8], at time: ChatTime) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.salt = .bytes(salt)
        content.receipt.delivered = receipt.delivered.map { .bytes($0.bytes) }
        content.receipt.read = receipt.read.map { .bytes($0.bytes) }
        content.receipt.packs = receipt.packs.map { .bytes($0) }
        return encoded(content)
    }

    /// Reads content that a session opened; nil if it is malformed or exceeds a limit.
    package static func decode(_ bytes: [UInt8]) -> Decoded? {
        guard let content = try? ProtoContent(serializedBytes: bytes), content.order <= ChatLimits.maximumOrder,
            content.sentAt <= Timestamp.latest.milliseconds
        else { return nil }
        var decoded = Decoded(.unknown, sentAt: content.sentAt, order: content.order)
        decoded.mayFollowTrail = content.followTrail
        switch content.body {
        case .text(let text):
            guard let text = checked(text), let context = context(of: content, text: text.text) else { return nil }
            decoded.body = .text(text)
            decoded.context = context
        case .poll(let encoded):
            guard let poll = Poll(checking: encoded), let context = context(of: content, text: nil) else { return nil }
            decoded.body = .poll(poll)
            decoded.context = context
        case .timer(let timer):
            guard timer.seconds <= ContentLimits.timerSeconds, timer.revision > 0 else { return nil }
            decoded.body = .timer(timer.seconds, number: timer.revision)
        case .receipt(let receipt):
            guard let checked = Receipt(receipt) else { return nil }
            decoded.body = .receipt(checked)
        case .reaction, .edit, .deletion, .vote, .pollClose:
            guard content.order == 0, let change = content.body.flatMap(MessageChange.checked) else { return nil }
            decoded.body = .change(of: change.target, change.change)
        case .groupNote(let note): decoded.body = .groupNote([UInt8](note))
        case .rotation(let bytes): decoded.body = .statement(.rotation([UInt8](bytes)))
        case .revocation(let bytes): decoded.body = .statement(.revocation([UInt8](bytes)))
        case nil: break
        }
        switch decoded.body {
        case .text, .poll, .timer: guard content.order > 0 else { return nil }
        case .receipt, .change, .groupNote, .statement, .unknown: break
        }
        return decoded
    }

    /// Reads the context of a message; nil if it exceeds a limit.
    ///
    /// - Parameter text: The text that mentions may be in; nil if there can be none.
    private static func context(of content: ProtoContent, text: String?) -> MessageContext? {
        guard content.expiresAfter <= ContentLimits.timerSeconds, text != nil || content.mentions.isEmpty,
            let mentions = Mention.checked(content.mentions, in: text ?? "")
        else { return nil }
        let replyTo = MessageID(bytes: content.replyTo)
        guard replyTo != nil || content.replyTo.isEmpty else { return nil }
        return MessageContext(replyTo: replyTo, mentions: mentions, seconds: content.expiresAfter)
    }

    /// Checks a text against all limits; nil if it exceeds one or is empty.
    private static func checked(_ text: ProtoText) -> Text? {
        guard text.text.utf8.count <= ChatLimits.textByteCount, text.files.count <= ChatLimits.fileCount else {
            return nil
        }
        let files = text.files.compactMap { FileReference($0) }
        guard files.count == text.files.count else { return nil }
        guard text.hasLongText else {
            return text.text.isEmpty && files.isEmpty ? nil : Text(text.text, files: files)
        }
        let sizes = 1...UInt64(ChatLimits.longTextByteCount)
        guard text.text.isEmpty, let longText = FileReference(text.longText),
            sizes.contains(longText.reference.byteCount)
        else { return nil }
        return Text(files: files, longText: longText)
    }

    /// Computes the id of a direct message from its sender, its recipient and its content as sealed.
    static func id(of content: [UInt8], from sender: PeerID, to recipient: PeerID) -> MessageID {
        MessageID(sender: sender, chat: recipient.bytes, content: content)
    }

    static func encoded(_ content: ProtoContent) -> [UInt8] {
        // Encoding fails only for missing required fields, which proto3 does not have.
        (try? content.serializedBytes()) ?? []
    }
}
