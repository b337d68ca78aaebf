import Foundation

/// The stream in which a hub keeps mail, as JetStream takes it.
///
/// It refuses mail when it is full and deletes none before its time, since a refusal is seen and another hub can help.
/// Nobody can delete mail or empty a mailbox. Source: Examples/Hub/README.md.
struct MailStream: Encodable {
    /// The name of the stream.
    static let name = "MAIL"
    /// The subjects: the first digit of a tag, then the tag.
    static let subjects = "e.*.*"
    /// Units: bytes of the largest message: the largest envelope, and room for its header.
    static let messageByteCount = 17_408
    /// The messages of one mailbox on one day.
    static let mailboxMessageCount = 4_000

    /// Units: bytes of all mail together.
    let byteCount: Int64
    /// The number of servers that each keep all of it.
    let replicas: Int
    /// Units: days that mail is kept, 1 to 7.
    let days: Int64

    static let nanosecondsOfDay: Int64 = 86_400 * 1_000_000_000

    /// Units: nanoseconds that mail is kept.
    var nanoseconds: Int64 { days * Self.nanosecondsOfDay }

    private enum CodingKeys: String, CodingKey {
        case name, subjects, retention, storage, discard
        case replicas = "num_replicas"
        case age = "max_age"
        case messageByteCount = "max_msg_size"
        case byteCount = "max_bytes"
        case messageCount = "max_msgs"
        case mailboxMessageCount = "max_msgs_per_subject"
        case refusesPerMailbox = "discard_new_per_subject"
        case duplicateWindow = "duplicate_window"
        case allowsDirect = "allow_direct"
        case deniesDelete = "deny_delete"
        case deniesPurge = "deny_purge"
        case allowsRollup = "allow_rollup_hdrs"
        case consumers = "max_consumers"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.name, forKey: .name)
        try container.encode([Self.subjects], forKey: .subjects)
        try container.encode("limits", forKey: .retention)
        try container.encode("file", forKey: .storage)
        try container.encode("new", forKey: .discard)
        try container.encode(replicas, forKey: .replicas)
        try container.encode(nanoseconds, forKey: .age)
        try container.encode(Self.messageByteCount, forKey: .messageByteCount)
        try container.encode(byteCount, forKey: .byteCount)
        try container.encode(-1, forKey: .messageCount)
        try container.encode(Self.mailboxMessageCount, forKey: .mailboxMessageCount)
        try container.encode(true, forKey: .refusesPerMailbox)
        // More than the two minutes that a server may take to write what it has confirmed.
        try container.encode(300 * 1_000_000_000, forKey: .duplicateWindow)
        try container.encode(true, forKey: .allowsDirect)
        try container.encode(true, forKey: .deniesDelete)
        try container.encode(true, forKey: .deniesPurge)
        // A message with such a header would empty its mailbox.
        try container.encode(false, forKey: .allowsRollup)
        try container.encode(8, forKey: .consumers)
    }
}
