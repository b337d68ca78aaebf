package import ChatCrypto
import SwiftProtobuf

/// Reads and writes what travels sealed inside session messages.
///
/// Source: PROTOCOL §10.
package enum MessageContent {
    /// What a content says, checked; content of a newer kind is `unknown` and kept as it is.
    package enum Body: Equatable {
        /// What somebody wrote.
        case text(String)
        /// Messages that the sender has stored.
        case receipt(delivered: [MessageID], read: [MessageID])
        /// Something that only newer versions know.
        case unknown

        /// Whether it has a place in the history, shown by this version or not.
        var isMessage: Bool {
            switch self {
            case .text, .unknown: true
            case .receipt: false
            }
        }
    }

    /// The encoded content of a text.
    static func text(_ text: String, order: UInt64, salt: [UInt8], at time: ChatTime) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = time.wall
        content.salt = .init(salt)
        content.order = order
        content.text.text = text
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
    package static func decode(_ bytes: [UInt8]) -> (body: Body, sentAt: UInt64, order: UInt64)? {
        guard let content = try? ProtoContent(serializedBytes: bytes), content.order <= ChatLimits.maximumOrder else {
            return nil
        }
        let body: Body
        switch content.body {
        case .text(let text):
            let isTextAllowed = !text.text.isEmpty && text.text.utf8.count <= ChatLimits.textByteCount
            guard isTextAllowed, content.order > 0 else { return nil }
            body = .text(text.text)
        case .receipt(let receipt):
            guard receipt.delivered.count + receipt.read.count <= ChatLimits.receiptCount else { return nil }
            body = .receipt(
                delivered: receipt.delivered.compactMap { MessageID(bytes: $0) },
                read: receipt.read.compactMap { MessageID(bytes: $0) }
            )
        case nil: body = .unknown
        }
        return (body, content.sentAt, content.order)
    }

    /// The name of a direct message: its sender, its recipient and its content as sealed.
    static func id(of content: [UInt8], from sender: PeerID, to recipient: PeerID) -> MessageID {
        MessageID(sender: sender, chat: recipient.bytes, content: content)
    }

    private static func encoded(_ content: ProtoContent) -> [UInt8] {
        // Encoding fails only for required fields that are missing, which proto3 has not.
        (try? content.serializedBytes()) ?? []
    }
}
