/// The coding of events: a type, and beside it the fields that belong to it.
extension RPCEvent: Codable {
    private enum Key: String, CodingKey {
        case type, id, name, links, contact, message, status, reason, kind, bytes, index, total, dropped
        case conversation, by, active, text
    }

    /// The type and the fields of an event to be written.
    private var line: (type: String, fields: any Encodable) {
        switch self {
        case .ready(let id, let name): ("ready", Fields([.id: id, .name: name]))
        case .linkUp(let links): ("link.up", Fields([.links: links]))
        case .linkDown(let links): ("link.down", Fields([.links: links]))
        case .contact(let contact): ("contact", Fields([.contact: contact]))
        case .trust(let trust): ("trust", trust)
        case .conversation(let conversation): ("conversation", Fields([.conversation: conversation]))
        case .message(let message): ("message", Fields([.message: message]))
        case .changed(let message): ("message.changed", Fields([.message: message]))
        case .removed(let conversation, let message):
            ("message.removed", Fields([.conversation: conversation, .message: message]))
        case .typing(let conversation, let peer, let isActive):
            ("typing", Fields([.conversation: conversation, .by: peer, .active: isActive]))
        case .token(let conversation, let peer, let message, let text):
            ("assistant.token", Fields([.conversation: conversation, .by: peer, .message: message, .text: text]))
        case .status(let message, let status, let reason):
            ("status", Fields([.message: message, .status: status, .reason: reason]))
        case .delivery(let message, let status, let member, let reason):
            ("status", Fields([.message: message, .status: status, .by: member, .reason: reason]))
        case .group(let event): ("group", event)
        case .room(let event): ("room", event)
        case .progress(let message, let index, let byteCount, let total):
            ("progress", Fields([.message: message, .index: index, .bytes: byteCount, .total: total]))
        case .fileFailed(let message, let index, let reason):
            ("file.failed", Fields([.message: message, .index: index, .reason: reason]))
        case .envelope(let id, let kind, let byteCount):
            ("envelope", Fields([.id: id, .kind: kind, .bytes: byteCount]))
        case .erased(let conversation): ("erased", Fields([.conversation: conversation]))
        case .locked: ("locked", Fields([:]))
        case .unlocked: ("unlocked", Fields([:]))
        case .storage(let reason): ("storage", Fields([.reason: reason]))
        case .historyTampered(let report): ("history.tampered", report)
        case .lagged(let dropped): ("lagged", Fields([.dropped: dropped]))
        }
    }

    /// The types in the order of the reference, each with the reader of its fields.
    private static let readers: KeyValuePairs<String, @Sendable (FieldReader) throws -> RPCEvent> = [
        "ready": { try .ready(id: $0[.id], name: $0[.name]) },
        "link.up": { try .linkUp(links: $0[.links]) },
        "link.down": { try .linkDown(links: $0[.links]) },
        "contact": { try .contact($0[.contact]) },
        "trust": { try .trust($0.all()) },
        "conversation": { try .conversation($0[.conversation]) },
        "message": { try .message($0[.message]) },
        "message.changed": { try .changed($0[.message]) },
        "message.removed": { try .removed(conversation: $0[.conversation], message: $0[.message]) },
        "typing": { try .typing(conversation: $0[.conversation], by: $0[.by], active: $0[.active]) },
        "assistant.token": {
            try .token(conversation: $0[.conversation], by: $0[.by], message: $0[.message], text: $0[.text])
        },
        "status": {
            guard let member: String = try $0.optional(.by) else {
                return try .status(message: $0[.message], status: $0[.status], reason: $0.optional(.reason))
            }
            return try .delivery(message: $0[.message], status: $0[.status], by: member, reason: $0.optional(.reason))
        },
        "group": { try .group($0.all()) },
        "room": { try .room($0.all()) },
        "progress": {
            try .progress(message: $0[.message], index: $0[.index], byteCount: $0[.bytes], total: $0[.total])
        },
        "file.failed": { try .fileFailed(message: $0[.message], index: $0[.index], reason: $0[.reason]) },
        "envelope": { try .envelope(id: $0[.id], kind: $0[.kind], byteCount: $0[.bytes]) },
        "erased": { try .erased(conversation: $0[.conversation]) },
        "locked": { _ in .locked },
        "unlocked": { _ in .unlocked },
        "storage": { try .storage(reason: $0[.reason]) },
        "history.tampered": { try .historyTampered($0.all()) },
        "lagged": { try .lagged(dropped: $0[.dropped]) },
    ]

    /// The types that a client can subscribe to.
    package static let types = readers.map(\.key).filter { $0 != "ready" }

    /// The name of the event's type on the wire.
    package var type: String { line.type }

    /// Reads an event; an unknown type is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let type = try container.decode(String.self, forKey: .type)
        guard let read = Self.readers.first(where: { $0.key == type })?.value else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "unknown type")
        }
        self = try read(FieldReader(decoder: decoder, container: container))
    }

    /// Writes the type and the fields side by side.
    package func encode(to encoder: any Encoder) throws {
        let line = line
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(line.type, forKey: .type)
        try line.fields.encode(to: encoder)
    }

    /// The fields of an event to be written.
    ///
    /// Fields that are nil are left out.
    private struct Fields: Encodable {
        private let values: [Key: (any Encodable)?]

        init(_ values: [Key: (any Encodable)?]) { self.values = values }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for case (let key, let value?) in values { try container.encode(value, forKey: key) }
        }
    }

    /// The fields of an event to be read.
    private struct FieldReader {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<Key>

        subscript<Value: Decodable>(key: Key) -> Value {
            get throws { try container.decode(Value.self, forKey: key) }
        }

        func optional<Value: Decodable>(_ key: Key) throws -> Value? {
            try container.decodeIfPresent(Value.self, forKey: key)
        }

        /// Decodes all fields as one value.
        func all<Value: Decodable>() throws -> Value { try Value(from: decoder) }
    }
}
