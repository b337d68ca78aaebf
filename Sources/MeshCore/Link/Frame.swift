import Bytes

/// The frames that sealed packets carry.
///
/// Source: PROTOCOL §3.3.
enum Frame: Equatable {
    case ping
    case acknowledgement(Acknowledgement)
    case close(LinkCloseReason)
    case status(LinkStatus)
    /// The sum of the status that the sender last took from the receiver; 0 without one.
    case statusSum(UInt32)
    case message(MessageFrame)
    case datagram(ArraySlice<UInt8>)
    case pathChallenge(UInt64)
    case pathResponse(UInt64)

    /// The first byte of each frame.
    enum Kind: UInt8 {
        case padding = 0x00
        case ping = 0x01
        case acknowledgement = 0x02
        case close = 0x03
        case status = 0x04
        case statusSum = 0x05
        case message = 0x10
        case datagram = 0x11
        case path = 0x12
    }

    /// The packets that the sender of the frame has received.
    ///
    /// Shape: largest 4 | delay 2 | n 1 | bitmap n; the highest bit of the first byte stands for `largest - 1`.
    struct Acknowledgement: Equatable {
        var lowLargest: UInt32
        /// The time from the arrival of the largest packet to this frame.
        ///
        /// Units: microseconds.
        var delay: UInt16
        var bitmap: [UInt8]
    }

    /// A piece of a message.
    ///
    /// Shape: lane 1 | number | offset | total if the offset is 0 | count (all variable) | data.
    struct MessageFrame: Equatable {
        /// The size of the longest header of a frame: its kind, the lane, and the variable integers.
        ///
        /// Units: bytes.
        static let maximumHeaderByteCount = 1 + 1 + 10 + 3 + 3 + 3

        var lane: Lane
        /// The number of the message in its lane, counted from 0.
        var number: UInt64
        var offset: Int
        /// The length of the whole message; present only in the first piece.
        var total: Int?
        var data: ArraySlice<UInt8>
    }

    /// The number of frames in a packet that need no second allocation.
    private static let expectedCount = 12

    /// Decodes all frames of a packet; returns nil if any is malformed.
    static func decode(_ bytes: [UInt8]) -> [Frame]? {
        var reader = ByteReader(bytes)
        var frames: [Frame] = []
        frames.reserveCapacity(expectedCount)
        while let first = reader.integer(UInt8.self) {
            guard let kind = Kind(rawValue: first) else { return nil }
            guard kind != .padding else { continue }
            guard let frame = decode(kind, from: &reader) else { return nil }
            frames.append(frame)
        }
        return frames
    }

    private static func decode(_ kind: Kind, from reader: inout ByteReader) -> Frame? {
        switch kind {
        case .padding, .ping:
            return .ping
        case .acknowledgement:
            return Acknowledgement(from: &reader).map { .acknowledgement($0) }
        case .close:
            return reader.integer(UInt8.self).map { .close(LinkCloseReason(rawValue: $0) ?? .left) }
        case .status:
            return LinkStatus(from: &reader).map { .status($0) }
        case .statusSum:
            return reader.integer(UInt32.self).map { .statusSum($0) }
        case .message:
            return MessageFrame(from: &reader).map { .message($0) }
        case .datagram:
            guard let count = reader.variableInteger(), count > 0, count <= LinkProtocol.maximumLiveByteCount,
                let data = reader.take(Int(count))
            else { return nil }
            return .datagram(data)
        case .path:
            guard let direction = reader.integer(UInt8.self), direction <= 1,
                let token = reader.integer(UInt64.self)
            else { return nil }
            return direction == 0 ? .pathChallenge(token) : .pathResponse(token)
        }
    }

    /// Whether the receiver must acknowledge the packet.
    var isEliciting: Bool {
        switch self {
        case .ping, .status, .statusSum, .message, .datagram: true
        case .acknowledgement, .close, .pathChallenge, .pathResponse: false
        }
    }

    /// Whether the acknowledgement must not wait for more packets.
    var isUrgent: Bool {
        switch self {
        case .ping, .status, .statusSum: true
        case .message(let fragment): fragment.lane <= .interactive
        case .acknowledgement, .close, .datagram, .pathChallenge, .pathResponse: false
        }
    }

    /// Encodes the frame at the end of `writer`.
    func encode(into writer: inout ByteWriter) {
        switch self {
        case .ping:
            writer.append(integer: Kind.ping.rawValue)
        case .acknowledgement(let acknowledgement):
            writer.append(integer: Kind.acknowledgement.rawValue)
            writer.append(integer: acknowledgement.lowLargest)
            writer.append(integer: acknowledgement.delay)
            writer.append(integer: UInt8(acknowledgement.bitmap.count))
            writer.append(acknowledgement.bitmap)
        case .close(let reason):
            writer.append(integer: Kind.close.rawValue)
            writer.append(integer: reason.rawValue)
        case .status(let status):
            writer.append(integer: Kind.status.rawValue)
            status.encode(into: &writer)
        case .statusSum(let sum):
            writer.append(integer: Kind.statusSum.rawValue)
            writer.append(integer: sum)
        case .message(let fragment):
            writer.append(integer: Kind.message.rawValue)
            fragment.encode(into: &writer)
        case .datagram(let data):
            writer.append(integer: Kind.datagram.rawValue)
            writer.append(variable: UInt64(data.count))
            writer.append(data)
        case .pathChallenge(let token):
            writer.append(integer: Kind.path.rawValue)
            writer.append(integer: UInt8(0))
            writer.append(integer: token)
        case .pathResponse(let token):
            writer.append(integer: Kind.path.rawValue)
            writer.append(integer: UInt8(1))
            writer.append(integer: token)
        }
    }
}

extension Frame.Acknowledgement {
    fileprivate init?(from reader: inout ByteReader) {
        guard let largest = reader.integer(UInt32.self), let delay = reader.integer(UInt16.self),
            let count = reader.integer(UInt8.self), count <= LinkProtocol.maximumBitmapByteCount,
            let bitmap = reader.take(Int(count))
        else { return nil }
        self.init(lowLargest: largest, delay: delay, bitmap: Array(bitmap))
    }

    /// Returns the acknowledged ones of the 64 numbers from 64 times `index` on, given the whole number of the largest
    /// one.
    ///
    /// The lowest bit stands for the lowest number.
    func bits(ofWord index: UInt64, largest: UInt64) -> UInt64 {
        let highest = index * 64 + 63
        guard highest >= largest else { return bits(at: largest - 1 - highest) }
        let excess = highest - largest
        guard excess < 64 else { return 0 }
        let below = excess == 63 ? 0 : bits(at: 0) >> (excess + 1)
        return below | 1 << (63 - excess)
    }

    /// Returns the bitmap's 64 bits from a position on, the first one highest, with zeros beyond its end.
    private func bits(at place: UInt64) -> UInt64 {
        guard place / 8 < UInt64(bitmap.count) else { return 0 }
        let start = Int(place / 8)
        let shift = place % 8
        var bits: UInt64 = 0
        for offset in 0..<8 {
            bits = bits << 8 | UInt64(start + offset < bitmap.count ? bitmap[start + offset] : 0)
        }
        guard shift > 0 else { return bits }
        let next = start + 8 < bitmap.count ? bitmap[start + 8] : 0
        return bits << shift | UInt64(next) >> (8 - shift)
    }
}

extension Frame.MessageFrame {
    fileprivate init?(from reader: inout ByteReader) {
        let limit = UInt64(LinkProtocol.maximumMessageByteCount)
        guard let lane = reader.integer(UInt8.self).flatMap(Lane.init), let number = reader.variableInteger(),
            let offset = reader.variableInteger(), offset < limit
        else { return nil }
        var total: Int?
        if offset == 0 {
            guard let value = reader.variableInteger(), value > 0, value <= limit else { return nil }
            total = Int(value)
        }
        guard let count = reader.variableInteger(), count > 0, count <= limit - offset,
            let data = reader.take(Int(count)), data.count <= total ?? .max
        else { return nil }
        self.init(lane: lane, number: number, offset: Int(offset), total: total, data: data)
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.append(integer: lane.rawValue)
        writer.append(variable: number)
        writer.append(variable: UInt64(offset))
        if let total { writer.append(variable: UInt64(total)) }
        writer.append(variable: UInt64(data.count))
        writer.append(data)
    }
}
