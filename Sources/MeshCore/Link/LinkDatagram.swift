import Bytes

/// The datagrams of links: three for the handshake, and the sealed packets.
///
/// Source: PROTOCOL §3.1, §3.2.
enum LinkDatagram {
    case initiation(Initiation)
    case retry(Retry)
    case response(Response)
    case data(DataPacket)

    /// Decodes a datagram; returns nil for an unknown type or version, or a wrong length.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count <= LinkProtocol.maximumDatagramByteCount, let type = bytes.first else { return nil }
        switch type {
        case Initiation.type:
            guard let initiation = Initiation(decoding: bytes) else { return nil }
            self = .initiation(initiation)
        case Retry.type:
            guard let retry = Retry(decoding: bytes) else { return nil }
            self = .retry(retry)
        case Response.type:
            guard let response = Response(decoding: bytes) else { return nil }
            self = .response(response)
        case DataPacket.type, DataPacket.type | 1:
            guard let packet = DataPacket(decoding: bytes) else { return nil }
            self = .data(packet)
        default:
            return nil
        }
    }

    /// INIT, the first datagram of a handshake.
    ///
    /// Shape: type 1 | version 1 | sender's connection 4 | sender's node id 8 | cookie length 1 | cookie 0 or 16 |
    /// message 1 of the handshake, 48 | zeros to 400 bytes.
    struct Initiation: Equatable {
        static let type: UInt8 = 0x10
        var connection: UInt32
        var node: NodeID
        var cookie: [UInt8] = []
        var message: [UInt8]

        init(connection: UInt32, node: NodeID, cookie: [UInt8] = [], message: [UInt8]) {
            self.connection = connection
            self.node = node
            self.cookie = cookie
            self.message = message
        }

        init?(decoding bytes: [UInt8]) {
            var reader = ByteReader(bytes)
            guard bytes.count >= LinkProtocol.minimumInitiationByteCount,
                reader.integer(UInt8.self) == Self.type,
                reader.integer(UInt8.self) == LinkProtocol.version,
                let connection = reader.integer(UInt32.self),
                let node = reader.integer(UInt64.self),
                let cookieCount = reader.integer(UInt8.self),
                cookieCount == 0 || cookieCount == LinkProtocol.cookieByteCount,
                let cookie = reader.take(Int(cookieCount)),
                let message = reader.take(LinkProtocol.firstMessageByteCount)
            else { return nil }
            self.init(connection: connection, node: NodeID(node), cookie: Array(cookie), message: Array(message))
        }

        /// The clear fields that the handshake authenticates.
        var header: [UInt8] { Self.header(connection: connection, node: node) }

        /// Returns the clear fields of an INIT, from the type to the node id.
        ///
        /// Shape: 14 bytes.
        static func header(connection: UInt32, node: NodeID) -> [UInt8] {
            var writer = ByteWriter(capacity: 14)
            writer.append(integer: type)
            writer.append(integer: LinkProtocol.version)
            writer.append(integer: connection)
            writer.append(integer: node.value)
            return writer.bytes
        }

        func encoded() -> [UInt8] {
            var writer = ByteWriter(capacity: LinkProtocol.minimumInitiationByteCount)
            writer.append(header)
            writer.append(integer: UInt8(cookie.count))
            writer.append(cookie)
            writer.append(message)
            let padding = max(0, LinkProtocol.minimumInitiationByteCount - writer.bytes.count)
            writer.append(repeatElement(0, count: padding))
            return writer.bytes
        }
    }

    /// RETRY, sent instead of a response while there are too many handshakes.
    ///
    /// Shape: type 1 | receiver's connection 4 | cookie 16.
    struct Retry: Equatable {
        static let type: UInt8 = 0x11
        var connection: UInt32
        var cookie: [UInt8]

        init(connection: UInt32, cookie: [UInt8]) {
            self.connection = connection
            self.cookie = cookie
        }

        init?(decoding bytes: [UInt8]) {
            var reader = ByteReader(bytes)
            guard reader.integer(UInt8.self) == Self.type,
                let connection = reader.integer(UInt32.self),
                let cookie = reader.take(LinkProtocol.cookieByteCount), reader.isAtEnd
            else { return nil }
            self.init(connection: connection, cookie: Array(cookie))
        }

        func encoded() -> [UInt8] {
            var writer = ByteWriter(capacity: 21)
            writer.append(integer: Self.type)
            writer.append(integer: connection)
            writer.append(cookie)
            return writer.bytes
        }
    }

    /// RESP, the second datagram of a handshake.
    ///
    /// Shape: type 1 | receiver's connection 4 | sender's connection 4 | message 2 of the handshake, 96.
    struct Response: Equatable {
        static let type: UInt8 = 0x12
        var connection: UInt32
        var sender: UInt32
        var message: [UInt8]

        init(connection: UInt32, sender: UInt32, message: [UInt8]) {
            self.connection = connection
            self.sender = sender
            self.message = message
        }

        init?(decoding bytes: [UInt8]) {
            var reader = ByteReader(bytes)
            guard reader.integer(UInt8.self) == Self.type,
                let connection = reader.integer(UInt32.self),
                let sender = reader.integer(UInt32.self),
                let message = reader.take(LinkProtocol.secondMessageByteCount), reader.isAtEnd
            else { return nil }
            self.init(connection: connection, sender: sender, message: Array(message))
        }

        func encoded() -> [UInt8] {
            var writer = ByteWriter(capacity: 105)
            writer.append(integer: Self.type)
            writer.append(integer: connection)
            writer.append(integer: sender)
            writer.append(message)
            return writer.bytes
        }
    }

    /// A sealed packet of an established link, or message 3 of the handshake in the place of the frames.
    ///
    /// Shape: 0x40 | key phase 1 | receiver's connection 4 | low bytes of the packet number 4 | sealed frames.
    struct DataPacket: Equatable {
        static let type: UInt8 = 0x40
        static let headerByteCount = 9
        /// The size of the frames that fit one packet.
        ///
        /// Units: bytes.
        static let maximumFramesByteCount =
            LinkProtocol.maximumDatagramByteCount - headerByteCount - LinkProtocol.tagByteCount
        var phaseBit: UInt64
        var connection: UInt32
        var lowNumber: UInt32
        var header: ArraySlice<UInt8>
        var sealed: ArraySlice<UInt8>

        init?(decoding bytes: [UInt8]) {
            var reader = ByteReader(bytes)
            guard bytes.count >= Self.headerByteCount + LinkProtocol.tagByteCount,
                let type = reader.integer(UInt8.self), type & 0xFE == Self.type,
                let connection = reader.integer(UInt32.self),
                let lowNumber = reader.integer(UInt32.self)
            else { return nil }
            phaseBit = UInt64(type & 1)
            self.connection = connection
            self.lowNumber = lowNumber
            header = bytes[..<Self.headerByteCount]
            sealed = reader.takeRest()
        }

        /// Message 3 of the handshake if this is the initiator's packet 0.
        var thirdMessage: ArraySlice<UInt8>? {
            lowNumber == 0 && phaseBit == 0 && sealed.count == LinkProtocol.thirdMessageByteCount ? sealed : nil
        }

        /// Returns the packet with message 3 of the handshake.
        static func encoded(thirdMessage: [UInt8], connection: UInt32) -> [UInt8] {
            var writer = begin(phase: 0, connection: connection, number: 0)
            writer.append(thirdMessage)
            return writer.bytes
        }

        /// Returns the beginning of a packet, with room for the rest.
        static func begin(phase: UInt64, connection: UInt32, number: UInt64) -> ByteWriter {
            var writer = ByteWriter(capacity: LinkProtocol.maximumDatagramByteCount)
            writer.append(integer: type | UInt8(phase & 1))
            writer.append(integer: connection)
            writer.append(integer: UInt32(truncatingIfNeeded: number))
            return writer
        }

        /// Returns the number with these low bytes that is nearest to the expected one.
        static func fullNumber(low: UInt32, expected: UInt64) -> UInt64 {
            let span: UInt64 = 1 << 32
            let candidate = expected & ~(span - 1) | UInt64(low)
            if candidate < expected, expected - candidate > span / 2, candidate <= .max - span {
                return candidate + span
            }
            if candidate > expected, candidate - expected > span / 2, candidate >= span {
                return candidate - span
            }
            return candidate
        }
    }
}
