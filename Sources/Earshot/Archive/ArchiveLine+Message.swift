import ChatCore
import Foundation

extension ArchiveLine {
    /// A message: the fields that clients of JSON-RPC see, and the complete record in `record`.
    struct Message: Encodable {
        private enum Key: CodingKey {
            case type, record
        }

        let view: MessageReply
        /// A `MessageRecord`.
        let record: Data

        init(_ message: ChatCore.Message, record: [UInt8]) {
            view = MessageReply(message)
            self.record = Data(record)
        }

        func encode(to encoder: any Encoder) throws {
            try view.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode("message", forKey: .type)
            try container.encode(record, forKey: .record)
        }
    }

    /// Describes a system line in words.
    static func text(_ line: SystemLine) -> String {
        switch line {
        case .timer(nil): "turned disappearing messages off"
        case .timer(let duration?): "set messages to disappear \(duration.components.seconds) s after they are read"
        case .created: "created the group"
        case .added(_, let name): "added \(name)"
        case .removed(_, let name): "removed \(name)"
        case .left: "left"
        case .renamed(let title): "renamed the group to \(title)"
        case .ownershipTransferred(_, let name): "handed the group over to \(name)"
        }
    }
}
