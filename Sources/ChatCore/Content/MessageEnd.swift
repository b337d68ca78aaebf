import ChatCrypto
import SwiftProtobuf

/// Why a message's content is gone.
package enum MessageEnd: UInt32 {
    /// Its author deleted it; that it was there stays visible.
    case deleted = 1
    /// This node's user deleted it, here alone.
    case hidden
    /// Its time was over.
    case expired
}

extension ProtoMessageRecord {
    /// The conversation that the message stands in.
    package var conversationID: ConversationID? { ConversationID(bytes: conversation) }
}

extension ConversationID {
    /// Follows a room's name, which is as long as a group's.
    private static let roomMark: UInt8 = 1

    /// The conversation that a record names; nil if it names none.
    package init?(bytes: some Collection<UInt8>) {
        if let group = GroupID(bytes: bytes) {
            self = .group(group)
        } else if let room = GroupID(bytes: bytes.dropLast(1)), bytes.suffix(1).first == Self.roomMark {
            self = .room(room)
        } else if let peer = PeerID(bytes: bytes) {
            self = .direct(peer)
        } else {
            return nil
        }
    }

    /// As a record names it.
    package var bytes: [UInt8] {
        switch self {
        case .direct(let peer): peer.bytes
        case .group(let group): group.bytes
        case .room(let room): room.bytes + [Self.roomMark]
        }
    }
}
