import Earshot

extension RPCEvent: Codable {
    private enum Key: String, CodingKey {
        case type, id, name, links, contact, message, status, reason, kind, bytes, index, total, dropped
        case conversation, by, active, text
    }

    /// Reads an event; a type that this release does not know is refused.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try container.decode(String.self, forKey: key) }
        func count(_ key: Key) throws -> Int { try container.decode(Int.self, forKey: key) }
        switch try text(.type) {
        case "ready": self = .ready(id: try text(.id), name: try text(.name))
        case "link.up": self = .linkUp(links: try count(.links))
        case "link.down": self = .linkDown(links: try count(.links))
        case "contact": self = .contact(try container.decode(ContactReply.self, forKey: .contact))
        case "trust": self = .trust(try TrustReply(from: decoder))
        case "conversation":
            self = .conversation(try container.decode(ConversationReply.self, forKey: .conversation))
        case "message": self = .message(try container.decode(MessageReply.self, forKey: .message))
        case "message.changed": self = .changed(try container.decode(MessageReply.self, forKey: .message))
        case "message.removed":
            self = .removed(conversation: try text(.conversation), message: try text(.message))
        case "typing":
            let isActive = try container.decode(Bool.self, forKey: .active)
            self = .typing(conversation: try text(.conversation), by: try text(.by), active: isActive)
        case "assistant.token":
            let (conversation, peer) = (try text(.conversation), try text(.by))
            self = .token(conversation: conversation, by: peer, message: try text(.message), text: try text(.text))
        case "status":
            let reason = try container.decodeIfPresent(String.self, forKey: .reason)
            let (message, status) = (try text(.message), try text(.status))
            self =
                if let member = try container.decodeIfPresent(String.self, forKey: .by) {
                    .delivery(message: message, status: status, by: member, reason: reason)
                } else {
                    .status(message: message, status: status, reason: reason)
                }
        case "group": self = .group(try GroupEventReply(from: decoder))
        case "room": self = .room(try RoomEventReply(from: decoder))
        case "progress", "file.failed": self = try Self.fileEvent(in: container)
        case "envelope":
            self = .envelope(id: try text(.id), kind: try count(.kind), byteCount: try count(.bytes))
        case "erased": self = .erased(conversation: try text(.conversation))
        case "locked": self = .locked
        case "unlocked": self = .unlocked
        case "storage": self = .storage(reason: try text(.reason))
        case "history.tampered": self = .historyTampered(try HistoryReportReply(from: decoder))
        case "lagged": self = .lagged(dropped: try count(.dropped))
        default:
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "unknown type")
        }
    }

    /// Reads what happened to a file.
    private static func fileEvent(in container: KeyedDecodingContainer<Key>) throws -> RPCEvent {
        let message = try container.decode(String.self, forKey: .message)
        let index = try container.decode(Int.self, forKey: .index)
        guard try container.decode(String.self, forKey: .type) == "progress" else {
            let reason = try container.decode(String.self, forKey: .reason)
            return .fileFailed(message: message, index: index, reason: reason)
        }
        let byteCount = try container.decode(Int.self, forKey: .bytes)
        let total = try container.decode(Int.self, forKey: .total)
        return .progress(message: message, index: index, byteCount: byteCount, total: total)
    }

    /// Writes the type and what belongs to it side by side.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type, forKey: .type)
        switch self {
        case .ready(let id, let name):
            try container.encode(id, forKey: .id)
            try container.encode(name, forKey: .name)
        case .linkUp(let links), .linkDown(let links):
            try container.encode(links, forKey: .links)
        case .contact(let contact):
            try container.encode(contact, forKey: .contact)
        case .trust(let trust): try trust.encode(to: encoder)
        case .conversation(let conversation):
            try container.encode(conversation, forKey: .conversation)
        case .message(let message), .changed(let message):
            try container.encode(message, forKey: .message)
        case .removed(let conversation, let message):
            try container.encode(conversation, forKey: .conversation)
            try container.encode(message, forKey: .message)
        case .typing(let conversation, let peer, let isActive):
            try container.encode(conversation, forKey: .conversation)
            try container.encode(peer, forKey: .by)
            try container.encode(isActive, forKey: .active)
        case .token(let conversation, let peer, let message, let text):
            let fields = [(Key.conversation, conversation), (.by, peer), (.message, message), (.text, text)]
            for (key, field) in fields { try container.encode(field, forKey: key) }
        case .group(let event): try event.encode(to: encoder)
        case .room(let event): try event.encode(to: encoder)
        case .status(let message, let status, let reason):
            try container.encode(message, forKey: .message)
            try container.encode(status, forKey: .status)
            try container.encodeIfPresent(reason, forKey: .reason)
        case .delivery(let message, let status, let member, let reason):
            try container.encode(message, forKey: .message)
            try container.encode(status, forKey: .status)
            try container.encode(member, forKey: .by)
            try container.encodeIfPresent(reason, forKey: .reason)
        case .progress, .fileFailed: try encodeFile(into: &container)
        case .envelope(let id, let kind, let byteCount):
            try container.encode(id, forKey: .id)
            try container.encode(kind, forKey: .kind)
            try container.encode(byteCount, forKey: .bytes)
        case .erased(let conversation): try container.encode(conversation, forKey: .conversation)
        case .locked, .unlocked: break
        case .storage(let reason): try container.encode(reason, forKey: .reason)
        case .historyTampered(let report): try report.encode(to: encoder)
        case .lagged(let dropped): try container.encode(dropped, forKey: .dropped)
        }
    }

    /// Writes what happened to a file.
    private func encodeFile(into container: inout KeyedEncodingContainer<Key>) throws {
        switch self {
        case .progress(let message, let index, let byteCount, let total):
            try container.encode(message, forKey: .message)
            try container.encode(index, forKey: .index)
            try container.encode(byteCount, forKey: .bytes)
            try container.encode(total, forKey: .total)
        case .fileFailed(let message, let index, let reason):
            try container.encode(message, forKey: .message)
            try container.encode(index, forKey: .index)
            try container.encode(reason, forKey: .reason)
        default: break
        }
    }
}
