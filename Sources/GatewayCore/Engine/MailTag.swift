import Bytes
import MeshCore

/// The name under which a hub keeps the mail of one reader for one day.
///
/// Shape: 16 bytes. Source: PROTOCOL §19.
struct MailTag: Hashable, Comparable, Sendable {
    /// Units: bytes of a tag.
    static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    /// Makes a tag of 16 bytes; nil for any other count.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount,
            let high = UInt64(bigEndianBytes: bytes.prefix(8)), let low = UInt64(bigEndianBytes: bytes.dropFirst(8))
        else { return nil }
        self.high = high
        self.low = low
    }

    /// Makes a tag that belongs to nobody.
    init(using random: inout some RandomNumberGenerator) {
        high = random.next()
        low = random.next()
    }

    /// Reads the subject of mail; nil for any other subject.
    init?(subject: String) {
        guard subject.utf8.count == Self.subjectByteCount, let bytes = Hex.bytes(subject.suffix(2 * Self.byteCount)),
            let tag = MailTag(bytes: bytes), tag.subject == subject
        else { return nil }
        self = tag
    }

    /// The bytes of the tag.
    var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }
    /// The subject of its mail.
    var subject: String { "e." + place }
    /// The subject of the question for its last mail.
    var lastSubject: String { "last." + place }

    private var place: String { Canary.place(of: bytes) }
    private static let subjectByteCount = 4 + 2 * byteCount

    static func < (left: MailTag, right: MailTag) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
