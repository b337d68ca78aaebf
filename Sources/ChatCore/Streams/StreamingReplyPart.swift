import ChatCrypto

/// The newest part of a streaming reply, as it is sent.
///
/// Shape: question (16) ‖ offset (4) ‖ text, 1 to 1,000 bytes of UTF-8. Source: PROTOCOL §10.
struct StreamingReplyPart: Equatable, Sendable {
    private static let headerByteCount = 20

    /// The message that it answers.
    let question: MessageID
    /// The offset of the part in the reply.
    ///
    /// Units: bytes.
    let offset: Int
    /// The text of the part.
    let text: String

    /// Makes the part at the end of a reply so far; nil while the reply is empty.
    init?(of question: MessageID, upTo text: String) {
        guard !text.isEmpty else { return nil }
        var start = text.utf8.index(
            text.endIndex,
            offsetBy: -min(text.utf8.count, ContentLimits.streamingReplyPartByteCount)
        )
        while start < text.endIndex, start.samePosition(in: text.unicodeScalars) == nil {
            start = text.utf8.index(after: start)
        }
        self.question = question
        offset = text.utf8.distance(from: text.startIndex, to: start)
        self.text = String(text[start...])
    }

    /// Reads a part; nil for malformed bytes.
    init?(decoding bytes: ArraySlice<UInt8>) {
        let text = bytes.dropFirst(Self.headerByteCount)
        guard !text.isEmpty, text.count <= ContentLimits.streamingReplyPartByteCount,
            let question = MessageID(bytes: bytes.prefix(16)),
            let text = String(validating: text, as: UTF8.self)
        else { return nil }
        let offset = bytes.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard offset <= ChatLimits.longTextByteCount - text.utf8.count else { return nil }
        self.question = question
        self.offset = offset
        self.text = text
    }

    /// Encodes the part.
    func encoded() -> [UInt8] {
        question.bytes + (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) } + Array(text.utf8)
    }
}
