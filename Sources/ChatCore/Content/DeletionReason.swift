import ChatCrypto
import SwiftProtobuf

/// The reason why a message's content was removed.
package enum DeletionReason: UInt32 {
    /// Its author deleted it; the tombstone stays visible.
    case deleted = 1
    /// This node's user deleted it, on this node only.
    case hidden
    /// Its time was over.
    case expired
}

extension ProtoMessageRecord {
    /// The conversation that the message belongs to.
    package var conversationID: ConversationID? { ConversationID(bytes: conversation) }
}

extension ConversationID {
    /// The byte after a room's id, which is as long as a group's.
    private static let roomMark: UInt8 = 1

    /// Reads the conversation of a record; nil if it names none.
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

    /// The name of the conversation in a record.
    package var bytes: [UInt8] {
        switch self {
        case .direct(let peer): peer.bytes
        case .group(let group): group.bytes
        case .room(let room): room.bytes + [Self.roomMark]
        }
    }
}
