import ChatHistory
import Foundation

@testable import ChatCore
@testable import Earshot

/// Numbers at which sums, differences and conversions go wrong.
///
/// They replace every number of an encoded message.
enum ExtremeNumbers {
    static let all: [UInt64] = [0, 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 53, 1 << 63, .max - 1_023, .max]

    /// Returns the encoded message once for each of its numbers and each extreme, with that extreme in the number's
    /// position.
    ///
    /// The search includes every field of bytes that decodes as a message, even if it is none.
    static func variants(of message: [UInt8]) -> [[UInt8]] {
        guard let fields = fields(of: message) else { return [] }
        return fields.flatMap { field -> [[UInt8]] in
            let (head, tail) = (message[..<field.start], message[field.end...])
            switch field.value {
            case .number(let key):
                return all.map { head + ContentBytes.varint(key) + ContentBytes.varint($0) + tail }
            case .bytes(let number, let inner):
                return variants(of: inner).map { head + ContentBytes.field(number, $0) + tail }
            case .other: return []
            }
        }
    }

    private struct Field {
        enum Value {
            case number(key: UInt64)
            case bytes(number: UInt64, [UInt8])
            case other
        }

        let start: Int
        let end: Int
        let value: Value
    }

    /// Returns the fields of an encoded message; nil for bytes that are no message.
    private static func fields(of message: [UInt8]) -> [Field]? {
        var fields: [Field] = []
        var place = 0
        while place < message.count {
            let start = place
            guard let key = varint(in: message, at: &place), key >> 3 > 0 else { return nil }
            switch key & 7 {
            case 0:
                guard varint(in: message, at: &place) != nil else { return nil }
                fields.append(Field(start: start, end: place, value: .number(key: key)))
            case 2:
                guard let count = varint(in: message, at: &place), count <= UInt64(message.count - place) else {
                    return nil
                }
                let inner = Array(message[place..<place + Int(count)])
                place += Int(count)
                fields.append(Field(start: start, end: place, value: .bytes(number: key >> 3, inner)))
            case 1, 5:
                place += key & 7 == 1 ? 8 : 4
                guard place <= message.count else { return nil }
                fields.append(Field(start: start, end: place, value: .other))
            default: return nil
            }
        }
        return fields
    }

    private static func varint(in bytes: [UInt8], at place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard place < bytes.count else { return nil }
            value |= UInt64(bytes[place] & 0x7F) << shift
            place += 1
            if bytes[place - 1] < 0x80 { return value }
        }
        return nil
    }
}

extension ChatEngine {
    /// Reads everything that the node has, in every form in which it leaves the engine.
    func showAll(at time: ChatTime) throws {
        _ = trust.all.map { contact($0.identity.id, at: time) }
        for conversation in try conversationList().map(\.id) {
            for message in try history(of: conversation).page(limit: 1_000, before: nil) {
                _ = SearchEntry(message, in: .zero)
                _ = try ArchiveLine.bytes(ArchiveLine.Message(message, record: []))
                _ = try deliveries(of: message.id)
                for index in message.files.indices {
                    _ = try? attachments.blobs.file(index, of: message.id, in: step)
                }
            }
            _ = try history(of: conversation).searchPage(before: nil, limit: 100)
            for exported in try exportPage(of: conversation, before: nil).messages {
                _ = try? ProtoMessageRecord(archived: Data(exported.record), of: ownID)
            }
        }
    }
}

extension EngineNode {
    /// Reads everything that the node has.
    func showAll(at time: ChatTime) throws { try read(at: time) { try $0.showAll(at: time) } }
}
