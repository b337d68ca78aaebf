import Bytes

/// A piece of a small attachment as it lies in a mailbox: the body of an envelope FARCHUNK.
///
/// Shape: tag (16) ‖ body of a CHUNK ‖ zeros ‖ length of that body u16; behind the tag it is as long as a message.
/// Source: PROTOCOL §19.
public struct MailboxPiece: Sendable, Equatable {
    /// The mailbox.
    public let tag: MailboxTag
    /// The body of the CHUNK.
    public let piece: [UInt8]

    private static let lengthByteCount = 2

    /// Makes a piece for a mailbox; nil if it is empty or too long.
    public init?(tag: MailboxTag, piece: [UInt8]) {
        guard !piece.isEmpty, Self.paddedByteCount(of: piece.count) != nil else { return nil }
        self.tag = tag
        self.piece = piece
    }

    /// Reads the output of ``encoded()``; nil for anything else.
    public init?(decoding bytes: [UInt8]) {
        guard bytes.count > MailboxTag.byteCount + Self.lengthByteCount,
            let tag = MailboxTag(bytes: bytes.prefix(MailboxTag.byteCount)),
            let length = UInt16(bigEndianBytes: bytes.suffix(Self.lengthByteCount))
        else { return nil }
        self.init(tag: tag, piece: Array(bytes.dropFirst(MailboxTag.byteCount).prefix(Int(length))))
        guard bytes == encoded() else { return nil }
    }

    /// Encodes the piece.
    public func encoded() -> [UInt8] {
        let size = Self.paddedByteCount(of: piece.count) ?? 0
        let zeros = [UInt8](repeating: 0, count: max(0, size - piece.count - Self.lengthByteCount))
        return tag.bytes + piece + zeros + UInt16(piece.count).bigEndianBytes
    }

    /// Returns the size of a piece with its padding; nil for one that is too long.
    private static func paddedByteCount(of count: Int) -> Int? {
        EnvelopeSizes.sealed.filter { $0 >= count + lengthByteCount }.min()
    }
}
