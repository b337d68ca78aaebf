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
        /// What members of a group hand each other, as ``GroupNote`` reads it.
        case groupNote([UInt8])
        /// Something that only newer versions know.
        case unknown

        /// Whether it has a place in the history, shown by this version or not.
        var isMessage: Bool {
            switch self {
            case .text, .unknown: true
            case .receipt, .groupNote: false
            }
        }
    }

    /// A content as it is read.
    package typealias Decoded = (body: Body, sentAt: UInt64, order: UInt64)

    /// The encoded content of a text and its files.
    static func text(_ text: Text, order: UInt64, salt: [UInt8], at time: ChatTime) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.salt = .init(salt)
        content.order = order
        content.text.text = text.text
        content.text.files = text.files.map(\.encoded)
        if let longText = text.longText { content.text.longText = longText.encoded }
        return encoded(content)
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
        content.salt = .init(salt)
        content.receipt.delivered = delivered.map { .init($0.bytes) }
        content.receipt.read = read.map { .init($0.bytes) }
        return encoded(content)
    }

    /// Reads content that a session opened; nil if it is malformed or beyond a limit.
    package static func decode(_ bytes: [UInt8]) -> Decoded? {
        guard let content = try? ProtoContent(serializedBytes: bytes), content.order <= ChatLimits.maximumOrder else {
            return nil
        }
        let body: Body
        switch content.body {
        case .text(let text):
            guard let text = checked(text), content.order > 0 else { return nil }
            body = .text(text)
        case .receipt(let receipt):
            guard receipt.delivered.count + receipt.read.count <= ChatLimits.receiptCount else { return nil }
            body = .receipt(
                delivered: receipt.delivered.compactMap { MessageID(bytes: $0) },
                read: receipt.read.compactMap { MessageID(bytes: $0) }
            )
        case .groupNote(let note): body = .groupNote([UInt8](note))
        case nil: body = .unknown
        }
        return (body, content.sentAt, content.order)
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
