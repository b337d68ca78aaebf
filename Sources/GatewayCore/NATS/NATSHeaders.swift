/// The headers of a message that count.
///
/// A server passes the headers of guests on as they are, so no header is a reason to leave the server: a header that is
/// malformed is none. A server puts its own headers behind those of the guest, so the last of a name counts.
package struct NATSHeaders: Equatable, Sendable {
    /// The status that the server gave in place of data, such as 404 or 503.
    private(set) var status: Int?
    /// The subject under which the store keeps the message.
    private(set) var subject: String?
    /// The number that the store gave the message.
    private(set) var sequence: UInt64?
    /// The time at which the store took the message, as the server wrote it.
    private(set) var storedAt: String?

    /// No headers.
    package init() {}

    /// Takes the headers out of their block, which is as long as a message at most.
    package init(_ block: ArraySlice<UInt8>) {
        var rest = block
        var isFirst = true
        while let end = rest.firstIndex(of: 0x0A) {
            var line = rest[..<end]
            if line.last == 0x0D { line.removeLast() }
            if isFirst { status = Self.status(line) } else { take(line) }
            isFirst = false
            rest = rest[(end + 1)...]
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        // All other headers are passed over without a copy.
        guard line.starts(with: Self.prefix), let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line[(colon + 1)...].drop { $0 == 0x20 }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "Nats-Subject" where NATSSubject.isValid(value): subject = String(decoding: value, as: UTF8.self)
        case "Nats-Sequence" where value.count <= 20: sequence = UInt64(String(decoding: value, as: UTF8.self))
        case "Nats-Time-Stamp" where value.count <= 64:
            storedAt = HubText.shown(String(decoding: value, as: UTF8.self))
        default: return
        }
    }

    /// Reads the status out of a line such as `NATS/1.0 404 Message Not Found`.
    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.starts(with: version) else { return nil }
        let digits = line.dropFirst(version.count).drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static let version = Array("NATS/1.0".utf8)
    private static let prefix = Array("Nats-".utf8)
}
