import Foundation

/// A reader of the lines and messages of a NATS server: a pure value.
///
/// It takes bytes in pieces of any size and looks at each of them once. It keeps at most one message and the last piece.
/// Source: docs.nats.io, client protocol.
package struct NATSDecoder {
    /// A message whose payload has yet to come.
    private struct Announcement {
        /// The subject; nil if it has characters or a length that none of ours has.
        let subject: String?
        let subscription: Int
        let headerByteCount: Int
        let byteCount: Int
    }

    private var bytes: [UInt8] = []
    /// The place of the first byte that has not been read.
    private var start = 0
    /// The place up to which no line ends.
    private var searched = 0
    private var announced: Announcement?

    package init() {}

    /// Units: bytes that have not been read.
    package var waitingByteCount: Int { bytes.count - start }

    /// Adds bytes of the server.
    package mutating func append(_ piece: some Collection<UInt8>) {
        bytes.removeSubrange(..<start)
        searched -= start
        start = 0
        bytes.append(contentsOf: piece)
    }

    /// Reads the next operation; nil if more bytes must come first.
    ///
    /// - Throws: If the bytes are none of a NATS server, or too many. Nothing can be read after that.
    package mutating func next() throws(NATSViolation) -> NATSOperation? {
        while true {
            if let announced {
                guard waitingByteCount >= announced.byteCount + 2 else { return nil }
                self.announced = nil
                let message = try takePayload(of: announced)
                // Guests choose subjects, so an odd one is not the server's fault.
                if let message { return .message(message) }
            } else {
                guard let line = try takeLine() else { return nil }
                if let operation = try operation(of: line) { return operation }
            }
        }
    }

    // MARK: - Lines

    /// Takes the next line without its end.
    private mutating func takeLine() throws(NATSViolation) -> ArraySlice<UInt8>? {
        let end = bytes[searched...].firstIndex(of: 0x0A)
        let isInfo = bytes[start...].starts(with: Self.info)
        guard (end ?? bytes.count) - start <= (isInfo ? HubLimits.infoByteCount : HubLimits.lineByteCount) else {
            throw NATSViolation()
        }
        guard let end else {
            searched = bytes.count
            return nil
        }
        guard end > start, bytes[end - 1] == 0x0D else { throw NATSViolation() }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<(end - 1)]
    }

    /// Returns the operation of a line; nil if the line announces a message.
    private mutating func operation(of line: ArraySlice<UInt8>) throws(NATSViolation) -> NATSOperation? {
        switch line.first {
        case UInt8(ascii: "M"), UInt8(ascii: "H"):
            announced = try announcement(line)
            return nil
        case UInt8(ascii: "I") where line.starts(with: Self.info):
            let json = Data(line.dropFirst(Self.info.count))
            guard let info = try? JSONDecoder().decode(NATSInfo.self, from: json) else { throw NATSViolation() }
            return .info(info)
        case UInt8(ascii: "-") where line.starts(with: Self.error):
            return .error(String(decoding: line.dropFirst(Self.error.count), as: UTF8.self))
        case UInt8(ascii: "P") where line.elementsEqual(Self.ping): return .ping
        case UInt8(ascii: "P") where line.elementsEqual(Self.pong): return .pong
        case UInt8(ascii: "+") where line.elementsEqual(Self.ok): return .ok
        default: throw NATSViolation()
        }
    }

    // MARK: - Messages

    /// Reads `MSG subject number [answer] size`, or `HMSG subject number [answer] size-of-headers size`.
    private func announcement(_ line: ArraySlice<UInt8>) throws(NATSViolation) -> Announcement {
        let fields = line.split(maxSplits: 6) { $0 == 0x20 }
        let hasHeaders = fields.first?.elementsEqual(Self.messageWithHeaders) == true
        let least = hasHeaders ? 5 : 4
        guard hasHeaders || fields.first?.elementsEqual(Self.message) == true,
            fields.count == least || fields.count == least + 1,
            let subscription = Self.number(fields[2]),
            let byteCount = Self.number(fields[fields.count - 1]), byteCount <= HubLimits.messageByteCount,
            let headerByteCount = hasHeaders ? Self.number(fields[fields.count - 2]) : 0, headerByteCount <= byteCount
        else { throw NATSViolation() }
        return Announcement(
            subject: NATSSubject.isValid(fields[1]) ? String(decoding: fields[1], as: UTF8.self) : nil,
            subscription: subscription,
            headerByteCount: headerByteCount,
            byteCount: byteCount
        )
    }

    /// Takes the payload, which is complete; returns nil if its subject is none of ours.
    private mutating func takePayload(of announced: Announcement) throws(NATSViolation) -> NATSMessage? {
        let end = start + announced.byteCount
        guard bytes[end] == 0x0D, bytes[end + 1] == 0x0A else { throw NATSViolation() }
        defer { (start, searched) = (end + 2, end + 2) }
        guard let subject = announced.subject else { return nil }
        let body = start + announced.headerByteCount
        return NATSMessage(
            subject: subject,
            subscription: announced.subscription,
            headers: announced.headerByteCount > 0 ? NATSHeaders(bytes[start..<body]) : NATSHeaders(),
            body: Array(bytes[body..<end])
        )
    }

    /// Reads a number without a sign that fits; nil if it is something else.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static let info = Array("INFO ".utf8)
    private static let error = Array("-ERR ".utf8)
    private static let message = Array("MSG".utf8)
    private static let messageWithHeaders = Array("HMSG".utf8)
    private static let ping = Array("PING".utf8)
    private static let pong = Array("PONG".utf8)
    private static let ok = Array("+OK".utf8)
}
