import Bytes
import ChatCrypto
import SwiftProtobuf

/// A line in the history of a group that reports an operation: the same, with the same id, at each member that
/// applies it.
///
/// Nobody sends lines, and nothing that a peer sends can become one. Source: PROTOCOL §16.5.
struct GroupLine: Hashable, Sendable {
    /// The kinds of lines, as records have them.
    enum Event: UInt32 {
        case created = 1
        case added
        case removed
        case left
        case renamed
        case ownershipTransferred
    }

    /// The id, made of the group and the operation; a member's leaving has the same id whether the member announces it
    /// or the log records it.
    let id: MessageID
    /// The member that signed the operation, or leaves.
    let author: PeerID
    let event: Event
    /// The other member concerned.
    var peer: PeerID?
    /// The name of that member in the log, or the title.
    var text = ""

    /// Makes the lines of an operation.
    ///
    /// - Parameter log: The log before the operation.
    static func lines(of operation: GroupOperation, after log: MembershipLog) -> [GroupLine] {
        guard let owner = log.owner else {
            // The first title and policy are reported with the founding.
            guard case .add(_, let founder) = operation.edits.first else { return [] }
            return [line(.created, by: founder.identity.id, operation, 0)]
        }
        return operation.edits.enumerated().compactMap { index, edit in
            switch edit {
            case .add(_, let member): added(member, by: owner, operation, index)
            case .remove(let slot):
                log.table[slot].map { entry in
                    let peer = entry.member.identity.id
                    let id = MessageID(sender: peer, chat: log.groupID.bytes, content: going(entry.epoch))
                    return GroupLine(id: id, author: owner, event: .removed, peer: peer, text: entry.member.name)
                }
            case .removeLeaver(let slot): log.table[slot].flatMap { leaving(of: $0.member.identity.id, in: log) }
            case .rename(let title): line(.renamed, by: owner, operation, index, title.text)
            case .handover(let slot, _):
                log.table[slot].map { entry in
                    let (peer, name) = (entry.member.identity.id, entry.member.name)
                    return line(.ownershipTransferred, by: owner, operation, index, about: peer, name)
                }
            case .takeover:
                (log.policy.successor?.slot).flatMap { log.table[$0] }.map { entry in
                    let (peer, name) = (entry.member.identity.id, entry.member.name)
                    return line(.ownershipTransferred, by: peer, operation, index, about: peer, name)
                }
            case .policy, .renew: nil
            }
        }
    }

    /// Makes the lines of the operation with which a new member joins: those of the members that it has added.
    static func lines(joining log: MembershipLog) -> [GroupLine] {
        guard let operation = log.operations.last, let owner = log.owner else { return [] }
        return operation.edits.enumerated().compactMap { index, edit in
            guard case .add(_, let member) = edit else { return nil }
            return added(member, by: owner, operation, index)
        }
    }

    /// Makes the line of a member that leaves, before the log records it.
    static func leaving(of member: PeerID, in log: MembershipLog) -> GroupLine? {
        guard let epoch = log.joinEpoch(of: member) else { return nil }
        let id = MessageID(sender: member, chat: log.groupID.bytes, content: going(epoch))
        return GroupLine(id: id, author: member, event: .left)
    }

    private static func added(
        _ member: GroupMember,
        by owner: PeerID,
        _ operation: GroupOperation,
        _ index: Int
    ) -> GroupLine {
        line(.added, by: owner, operation, index, about: member.identity.id, member.name)
    }

    /// Encodes the name of a leaving.
    ///
    /// Shape: 0, which begins no content ‖ 1 ‖ epoch in which the member was added (4).
    private static func going(_ joining: UInt32) -> [UInt8] { [0, 1] + joining.bigEndianBytes }

    private static func line(
        _ event: Event,
        by author: PeerID,
        _ operation: GroupOperation,
        _ index: Int,
        about peer: PeerID? = nil,
        _ text: String = ""
    ) -> GroupLine {
        let name = [0] + operation.hash + [UInt8(clamping: index)]
        let id = MessageID(sender: author, chat: operation.groupID.bytes, content: name)
        return GroupLine(id: id, author: author, event: event, peer: peer, text: text)
    }
}

extension GroupMember {
    /// The name in the group's log; empty if there is none.
    fileprivate var name: String { nickname?.text ?? "" }
}

extension GroupLine {
    /// Whether a record holds a line: received data is kept only if it is a content, and no content begins with 0.
    static func isHeld(by record: ProtoMessageRecord) -> Bool { record.content.first == 0 }

    /// Represents a line as the content of a message.
    static func content(of record: ProtoMessageRecord) -> MessageContent.Decoded {
        MessageContent.Decoded(.unknown, sentAt: record.receivedAt, order: 0)
    }

    /// The line as the store keeps it.
    var encoded: [UInt8] {
        var record = ProtoLineRecord()
        record.event = event.rawValue
        record.peer = .bytes(peer?.bytes ?? [])
        record.text = text
        // Encoding fails only for missing required fields, which proto3 does not have.
        return [0] + ((try? record.serializedBytes()) ?? [])
    }
}
