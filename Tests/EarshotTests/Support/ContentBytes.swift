import ChatCrypto

@testable import ChatCore

/// The bytes of contents, encoded field by field, so that they can also be contents that no engine writes.
enum ContentBytes {
    /// Encodes a text (PROTOCOL §10), with more fields behind it.
    static func text(
        _ text: String,
        order: UInt64,
        sentAt: UInt64 = 1_800_000_000_000,
        more: [UInt8] = []
    ) -> [UInt8] {
        frame(order: order, sentAt: sentAt) + field(4, field(1, Array(text.utf8))) + more
    }

    /// Encodes a receipt for messages.
    static func receipt(_ ids: [MessageID]) -> [UInt8] {
        frame(order: 0, sentAt: 1_800_000_000_000) + field(5, ids.flatMap { field(1, $0.bytes) })
    }

    /// Encodes content of a kind that no version knows.
    static func unknown(order: UInt64) -> [UInt8] {
        frame(order: order, sentAt: 1_800_000_000_000) + field(900, [1, 2, 3])
    }

    /// Encodes a field of bytes.
    static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    /// Encodes a field of a number.
    static func number(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        varint(number << 3) + varint(value)
    }

    static func frame(order: UInt64, sentAt: UInt64) -> [UInt8] {
        varint(1 << 3) + varint(sentAt) + field(2, randomBytes(16)) + varint(3 << 3) + varint(order)
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), value)
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
