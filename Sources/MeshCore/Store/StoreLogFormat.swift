import Bytes

/// The format of a store's log: consecutive entries, each of which can be distinguished from damage by itself.
///
/// Times are seconds of the log's age: the time for which it has existed, as far as the node knows. An entry therefore
/// states the end of a life without the wall clock, which may be set. Only `time` entries connect the two.
///
/// Shape: an entry is `E5 10` ‖ count u16 ‖ CRC-32 of count and body u32 ‖ body of count bytes. Source: PROTOCOL §5.
package enum StoreLogFormat {
    /// The version that this code writes.
    package static let version: UInt8 = 1
    /// The size before an entry's body.
    ///
    /// Units: bytes.
    static let headerByteCount = 8
    /// The size of the largest body.
    ///
    /// Units: bytes.
    static let maximumBodyByteCount = 14 + Envelope.maximumByteCount
    /// The size that an entry adds to its envelope.
    ///
    /// Units: bytes.
    static let heldByteCount = headerByteCount + 14
    static let magic: [UInt8] = [0xE5, 0x10]

    /// The flag of this node's own envelopes.
    static let ownFlag: UInt8 = 1
    /// The flag of envelopes that are apart.
    static let apartFlag: UInt8 = 2
    /// The flag of an envelope that the node's gateway fetched.
    static let farFlag: UInt8 = 4
    static let allFlags = ownFlag | apartFlag | farFlag

    enum BodyType {
        static let begin: UInt8 = 0
        static let time: UInt8 = 1
        static let held: UInt8 = 2
        static let renewed: UInt8 = 3
        static let shelf: UInt8 = 4
    }

    /// The first entry of a log.
    package static var beginning: [UInt8] {
        frame { writer in
            writer.append(integer: BodyType.begin)
            writer.append("earshot mesh log".utf8)
            writer.append(integer: version)
        }
    }

    /// Encodes the wall clock time, in seconds since 1970, at an age of the log.
    package static func time(age: UInt32, wall: UInt64) -> [UInt8] {
        frame { writer in
            writer.append(integer: BodyType.time)
            writer.append(integer: age)
            writer.append(integer: wall)
        }
    }

    /// Encodes one record at an age of the log; the times of the log tell how long the node did not run.
    package static func entry(_ record: StoreRecord, age: UInt32) -> [UInt8] {
        if case .rested = record { return [] }
        return frame { writer in
            switch record {
            case .rested: break
            case .held(let envelope, let shortID, let isOwn, let isApart, let isFar):
                writer.append(integer: BodyType.held)
                let flags = (isOwn ? ownFlag : 0) | (isApart ? apartFlag : 0) | (isFar ? farFlag : 0)
                append(shortID, deadline(age, envelope.life), flags: flags, to: &writer)
                writer.append(envelope.encoded())
            case .renewed(let shortID, let life, let isOwn):
                writer.append(integer: BodyType.renewed)
                append(shortID, deadline(age, life), flags: isOwn ? ownFlag : 0, to: &writer)
            case .shelf(let place, let depth):
                writer.append(integer: BodyType.shelf)
                writer.append(integer: place)
                writer.append(integer: depth)
            }
        }
    }

    private static func deadline(_ age: UInt32, _ life: UInt16) -> UInt32 {
        let (sum, overflow) = age.addingReportingOverflow(UInt32(life) * 10)
        return overflow ? .max : sum
    }

    private static func append(_ shortID: UInt64, _ deadline: UInt32, flags: UInt8, to writer: inout ByteWriter) {
        writer.append(integer: shortID)
        writer.append(integer: deadline)
        writer.append(integer: flags)
    }

    private static func frame(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var inner = ByteWriter()
        body(&inner)
        var writer = ByteWriter(capacity: headerByteCount + inner.bytes.count)
        writer.append(magic)
        writer.append(integer: UInt16(inner.bytes.count))
        writer.append(integer: check(count: UInt16(inner.bytes.count), body: inner.bytes))
        writer.append(inner.bytes)
        return writer.bytes
    }

    static func check(count: UInt16, body: some Sequence<UInt8>) -> UInt32 {
        var check = CRC32()
        check.add([UInt8(count >> 8), UInt8(truncatingIfNeeded: count)])
        check.add(body)
        return check.value
    }
}
