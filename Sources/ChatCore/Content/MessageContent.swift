package import ChatCrypto
import MeshCore
import SwiftProtobuf

/// Reads and writes what travels sealed inside session messages.
///
/// Source: PROTOCOL §10.
package enum MessageContent {
    /// What somebody wrote.
    package struct Text: Equatable {
        /// What stands in the content itself.
        package var text = ""
        /// The objects that travel beside it.
        package var files: [FileReference] = []
        /// The text, where it is too long to stand in the content.
        package var longText: FileReference?

        package init(_ text: String = "", files: [FileReference] = [], longText: FileReference? = nil) {
            self.text = text
            self.files = files
            self.longText = longText
        }

        /// All objects by their index.
        var objects: [(index: Int, reference: FileReference)] {
            files.enumerated().map { ($0, $1) } + (longText.map { [(BlobID.longTextIndex, $0)] } ?? [])
        }
    }

    /// What a content says, checked; content of a newer kind is `unknown` and kept as it is.
    package enum Body: Equatable {
        /// What somebody wrote.
        case text(Text)
        /// Messages that the sender has stored.
        case receipt(delivered: [MessageID], read: [MessageID])
        /// A question with options.
        case poll(Poll)
        /// After how many seconds messages of the conversation are to be gone from now on; the setting's number.
        case timer(UInt32, number: UInt32)
        /// What is done to a message that was sent before.
        case change(of: MessageID, MessageChange)
        /// What members of a group hand each other, as ``GroupNote`` reads it.
        case groupNote([UInt8])
        /// Something about an identity.
        case statement(IdentityStatement)
        /// Something that only newer versions know.
        case unknown

        /// Whether it has a place in the history, shown by this version or not.
        var isMessage: Bool {
            switch self {
            case .text, .poll, .timer, .unknown: true
            case .receipt, .change, .groupNote, .statement: false
            }
        }

        /// Whether somebody wrote it, so that it counts as unread until it is looked at.
        var isWritten: Bool {
            switch self {
            case .text, .poll: true
            case .receipt, .timer, .change, .groupNote, .statement, .unknown: false
            }
        }
    }

    /// A content as it is read.
    package struct Decoded: Equatable {
        package var body: Body
        /// Units: milliseconds since 1970 by the sender's clock.
        package var sentAt: UInt64
        package var order: UInt64
        package var context: MessageContext

        package init(_ body: Body, sentAt: UInt64, order: UInt64, context: MessageContext = MessageContext()) {
            self.body = body
            self.sentAt = sentAt
            self.order = order
            self.context = context
        }
    }

    /// The encoded content of what has a place in the history.
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

    /// The encoded content of a change.
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

    /// What stays of a message whose content is gone.
    package static func remains(of content: [UInt8]) -> [UInt8] {
        let whole = try? ProtoContent(serializedBytes: content)
        var rest = ProtoContent()
        rest.sentAt = whole?.sentAt ?? 0
        rest.order = whole?.order ?? 0
        return encoded(rest)
    }

    /// The encoded content of a receipt.
    static func receipt(
        delivered: [MessageID] = [],
        read: [MessageID] = [],
        salt: [UInt8],
        at time: ChatTime
    ) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.salt = .bytes(salt)
        content.receipt.delivered = delivered.map { .bytes($0.bytes) }
        content.receipt.read = read.map { .bytes($0.bytes) }
        return encoded(content)
    }

    /// Reads content that a session opened; nil if it is malformed or beyond a limit.
    package static func decode(_ bytes: [UInt8]) -> Decoded? {
        guard let content = try? ProtoContent(serializedBytes: bytes), content.order <= ChatLimits.maximumOrder,
            content.sentAt <= Timestamp.latest.milliseconds
        else { return nil }
        var decoded = Decoded(.unknown, sentAt: content.sentAt, order: content.order)
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
            guard receipt.delivered.count + receipt.read.count <= ChatLimits.receiptCount else { return nil }
            decoded.body = .receipt(
                delivered: receipt.delivered.compactMap { MessageID(bytes: $0) },
                read: receipt.read.compactMap { MessageID(bytes: $0) }
            )
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

    /// What a message says besides itself; nil if that is beyond a limit.
    ///
    /// - Parameter text: What mentions may stand in; nil where there can be none.
    private static func context(of content: ProtoContent, text: String?) -> MessageContext? {
        guard content.expiresAfter <= ContentLimits.timerSeconds, text != nil || content.mentions.isEmpty,
            let mentions = Mention.checked(content.mentions, in: text ?? "")
        else { return nil }
        let replyTo = MessageID(bytes: content.replyTo)
        guard replyTo != nil || content.replyTo.isEmpty else { return nil }
        return MessageContext(replyTo: replyTo, mentions: mentions, seconds: content.expiresAfter)
    }

    /// A text within all limits, which says something; nil for any other.
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

    /// The name of a direct message: its sender, its recipient and its content as sealed.
    static func id(of content: [UInt8], from sender: PeerID, to recipient: PeerID) -> MessageID {
        MessageID(sender: sender, chat: recipient.bytes, content: content)
    }

    static func encoded(_ content: ProtoContent) -> [UInt8] {
        // Encoding fails only for required fields that are missing, which proto3 has not.
        (try? content.serializedBytes()) ?? []
    }
}
