import Bytes
import MeshCore

/// The messages and datagrams of a hostile host, all of them in one place.
///
/// Source: PROTOCOL §2 to §5.1.
enum HostileMessage {
    /// Creates an envelope with content that follows from `number`.
    static func envelope(
        _ number: Int,
        _ kind: EnvelopeKind = .sealed,
        byteCount: Int,
        life: UInt16 = 360
    ) -> [UInt8] {
        let body = SimNet.body(firstNumber + number, byteCount: byteCount)
        return Envelope(kind: kind, life: life, body: body).encoded()
    }

    /// Returns the short id of an encoded envelope; nil for anything else.
    static func shortID(of message: [UInt8]) -> UInt64? {
        Envelope(decoding: message[...]).map {
            NullCryptography().envelopeID(kindByte: $0.kindByte, body: $0.body[...]).shortID
        }
    }

    /// Returns an envelope with another life; nil for another message.
    static func withLife(_ life: UInt16, _ message: [UInt8]) -> [UInt8]? {
        guard var envelope = Envelope(decoding: message[...]) else { return nil }
        envelope.life = life
        return envelope.encoded()
    }

    /// Creates an offer of envelopes.
    static func offer(_ ids: [UInt64]) -> [UInt8] {
        var writer = ByteWriter(capacity: 3 + ids.count * 8)
        writer.append(integer: UInt8(0x01))
        writer.append(integer: UInt16(ids.count))
        for id in ids { writer.append(integer: id) }
        return writer.bytes
    }

    /// Returns the ids that a neighbour requests; nil for another message.
    static func wanted(_ message: [UInt8]) -> [UInt64]? {
        var reader = ByteReader(message)
        switch reader.integer(UInt8.self) {
        case 0x02: guard reader.integer(UInt16.self) != nil else { return nil }
        case 0x21: break
        default: return nil
        }
        var ids: [UInt64] = []
        while let id = reader.integer(UInt64.self) { ids.append(id) }
        return ids
    }

    /// Creates a payload of 32 bytes for a label.
    static func routed(to label: UInt64) -> [UInt8] {
        let payload = [UInt8](repeating: 7, count: 32)
        return PathFrame.routed(PathMessage(to: PathLabel(label), hops: 0, payload: payload)).encoded()
    }

    /// Creates a status that shows another store than all before.
    static func status(_ number: Int) -> LinkStatus {
        let sums = SIMD16<UInt32>(repeating: UInt32(truncatingIfNeeded: number))
        return LinkStatus(store: StoreSummary(shelf: .everything, sums: sums, count: 1 + number))
    }

    /// Creates a status with a shelf and sums that are those of no store.
    static func lie(_ number: Int) -> LinkStatus {
        var random = SplitMix64(seed: UInt64(number))
        let shelf = Shelf(of: UInt16(truncatingIfNeeded: random.next()), depth: UInt8(random.next() % 5))
        var sums = SIMD16<UInt32>.zero
        for index in sums.indices { sums[index] = UInt32(truncatingIfNeeded: random.next()) }
        return LinkStatus(store: StoreSummary(shelf: shelf, sums: sums, count: 1_000))
    }

    /// The content of a hostile beacon, apart from its node.
    enum BeaconManner {
        /// That of a beacon that was heard.
        case plain
        /// It asks for answers.
        case fromElsewhere
        /// It promises the next beacon so late that the neighbour stays in tables for hours.
        case lasting
    }

    /// Returns the beacon of another node: one that was heard, with another node id and port.
    static func beacon(
        like heard: [UInt8],
        node: NodeID,
        port: UInt16,
        sequence: UInt16,
        _ manner: BeaconManner
    ) -> [UInt8] {
        var beacon = heard
        guard beacon.count >= 36 else { return beacon }
        beacon[5] = manner == .fromElsewhere ? 1 : 0
        replace(&beacon, at: 6, with: port)
        replace(&beacon, at: 8, with: node.value)
        if manner == .lasting { replace(&beacon, at: 16, with: UInt16.max) }
        replace(&beacon, at: 18, with: sequence)
        return beacon
    }

    /// Returns a push of an envelope.
    static func push(_ envelope: [UInt8], node: NodeID, port: UInt16) -> [UInt8] {
        var writer = ByteWriter()
        writer.append("EAR1".utf8)
        writer.append([0x21, 0])
        writer.append(integer: port)
        writer.append(integer: node.value)
        writer.append(envelope)
        return writer.bytes
    }

    /// Whether a datagram is an INIT that shows a cookie.
    static func showsCookie(_ datagram: [UInt8]) -> Bool {
        datagram.count > 14 && datagram[0] == 0x10 && datagram[14] == 16
    }

    /// Returns an INIT under another connection number.
    static func initiation(like datagram: [UInt8], connection: UInt32) -> [UInt8] {
        var initiation = datagram
        replace(&initiation, at: 2, with: connection)
        return initiation
    }

    /// Returns the connection number that the sender of a RESP has given to the new link; nil for another datagram.
    static func connection(answeredBy datagram: [UInt8]) -> UInt32? {
        guard datagram.first == 0x12 else { return nil }
        var reader = ByteReader(datagram.dropFirst(5))
        return reader.integer(UInt32.self)
    }

    /// Seals frames as a packet of a link that the hostile host has dialled.
    static func packet(_ frames: [UInt8], connection: UInt32, number: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: LinkProtocol.maximumDatagramByteCount)
        writer.append(integer: UInt8(0x40))
        writer.append(integer: connection)
        writer.append(integer: UInt32(truncatingIfNeeded: number))
        let headerByteCount = writer.bytes.count
        writer.append(frames)
        var datagram = writer.bytes
        var cipher = NullCipher(meshKey: 0, isInitiator: true)
        cipher.seal(&datagram, headerByteCount: headerByteCount, packetNumber: number, phase: 0)
        return datagram
    }

    /// As many path challenges as one packet holds.
    static let challenges: [UInt8] = (0..<UInt8(120)).flatMap { number -> [UInt8] in
        [0x12, 0, 1, 2, 3, 4, 5, 6, 7, number]
    }
    /// A frame that no node understands.
    static let senseless: [UInt8] = [0xFF]

    private static func replace<Value: FixedWidthInteger & UnsignedInteger>(
        _ bytes: inout [UInt8],
        at offset: Int,
        with value: Value
    ) {
        var writer = ByteWriter(capacity: 8)
        writer.append(integer: value)
        bytes.replaceSubrange(offset..<(offset + writer.bytes.count), with: writer.bytes)
    }

    /// The first number for the content of hostile envelopes.
    ///
    /// Messages use other numbers.
    private static let firstNumber = 3_000_000
}
