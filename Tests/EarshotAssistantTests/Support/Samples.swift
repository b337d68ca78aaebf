import Earshot
import EarshotAssistant

/// The peers and messages that the tests use.
enum Samples {
    static let alice = peer(0xA1)
    static let bob = peer(0xB2)
    static let carol = peer(0xC3)
    static let group = id(0xD4)

    static func peer(_ byte: UInt8) -> PeerID {
        guard let peer = PeerID(bytes: [UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
        return peer
    }

    /// Makes the peer with a number.
    static func numbered(_ number: Int) -> PeerID {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) }
        guard let peer = PeerID(bytes: bytes) else { preconditionFailure("32 bytes") }
        return peer
    }

    private static func id(_ byte: UInt8) -> GroupID {
        guard let id = GroupID(bytes: [UInt8](repeating: byte, count: GroupID.byteCount)) else {
            preconditionFailure("a group's bytes")
        }
        return id
    }

    static func message(_ number: UInt8) -> MessageID {
        guard let id = MessageID(bytes: [UInt8](repeating: number, count: 16)) else { preconditionFailure("16 bytes") }
        return id
    }
}
