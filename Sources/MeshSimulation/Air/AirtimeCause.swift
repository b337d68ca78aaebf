import Bytes
import MeshCore

extension Airtime.Cause {
    /// The cause of a datagram.
    ///
    /// ``NullCryptography`` hides nothing, so the frames of links can be read. A datagram with several frames has the
    /// cause of the most important one. Source: PROTOCOL §3.1 and §4, the first bytes of datagrams; §3.3, frames.
    init(of datagram: [UInt8]) {
        switch datagram.first ?? 0 {
        case UInt8(ascii: "E"): self = datagram.count > 4 && datagram[4] == 0x21 ? .post : .beacon
        case 0x10...0x12: self = .handshake
        // Packet number 0 is message 3 of the handshake.
        case 0x40 where datagram.count > Self.headerByteCount && datagram[5..<9].allSatisfy { $0 == 0 }:
            self = .handshake
        default:
            let frames = datagram.dropFirst(Self.headerByteCount).dropLast(LinkProtocol.tagByteCount)
            self = Self.causes(of: frames).max { $0.weight < $1.weight } ?? .link
        }
    }

    /// The causes of the frames; none if any cannot be read.
    private static func causes(of frames: ArraySlice<UInt8>) -> [Airtime.Cause] {
        var reader = ByteReader(frames)
        var causes: [Airtime.Cause] = []
        while let kind = reader.integer(UInt8.self) {
            guard let cause = cause(ofFrame: kind, &reader) else { return [] }
            causes.append(cause)
        }
        return causes
    }

    private static func cause(ofFrame kind: UInt8, _ reader: inout ByteReader) -> Airtime.Cause? {
        switch kind {
        case 0x00, 0x01: return .acknowledgement
        case 0x02:
            guard reader.take(6) != nil, let count = reader.integer(UInt8.self), reader.take(Int(count)) != nil
            else { return nil }
            return .acknowledgement
        case 0x03: return reader.take(1).map { _ in .acknowledgement }
        case 0x04: return reader.take(statusByteCount).map { _ in .status }
        case 0x05: return reader.take(4).map { _ in .status }
        case 0x10: return messageCause(&reader)
        case 0x11:
            guard let count = reader.variableInteger(), count <= UInt64(reader.remainingCount) else { return nil }
            return reader.take(Int(count)).map { _ in .way }
        case 0x12: return reader.take(9).map { _ in .acknowledgement }
        default: return nil
        }
    }

    private static func messageCause(_ reader: inout ByteReader) -> Airtime.Cause? {
        guard reader.integer(UInt8.self) != nil, reader.variableInteger() != nil, let offset = reader.variableInteger(),
            offset > 0 || reader.variableInteger() != nil,
            let count = reader.variableInteger(), count <= UInt64(reader.remainingCount),
            let data = reader.take(Int(count))
        else { return nil }
        // Only envelopes and payloads on paths are longer than a datagram.
        guard offset == 0, let first = data.first else { return .post }
        switch first {
        case 0x01...0x04: return .comparing
        case 0x20...0x2F: return .announcement
        case 0x30...0x3F: return .way
        default: return first >> 4 == Envelope.version ? .post : .link
        }
    }

    /// The importance of a frame of this cause beside others.
    private var weight: Int { Self.order.firstIndex(of: self) ?? 0 }

    private static let order: [Self] = [
        .link, .acknowledgement, .status, .announcement, .comparing, .way, .post,
    ]
    /// The size of a packet's header.
    ///
    /// Units: bytes.
    private static let headerByteCount = 9
    /// The size of a status after its first byte.
    ///
    /// Units: bytes.
    private static let statusByteCount = 74
}
