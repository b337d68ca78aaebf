import ChatCrypto
import SwiftProtobuf

/// A line in the history of a group that reports an operation: the same, with the same id, at each member that has the
/// log.
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

    /// Makes the newest lines of a log, oldest first.
    static func lines(of log: MembershipLog, limit: Int = ChatLimits.lineCount) -> [GroupLine] {
        var reader = GroupLineReader(log.groupID)
        return Array(log.operations.compactMap { reader.read($0) }.suffix(limit))
    }

    /// Makes the line of one operation of a log; nil for an operation without one.
    static func line(of epoch: UInt32, in log: MembershipLog) -> GroupLine? {
        var reader = GroupLineReader(log.groupID)
        for operation in log.operations {
            if operation.epoch == epoch { return reader.read(operation) }
            reader.skip(operation)
        }
        return nil
    }

    /// Makes the line of a member that leaves, before the log records it.
    static func leaving(of member: PeerID, in log: MembershipLog) -> GroupLine? {
        var reader = GroupLineReader(log.groupID)
        for operation in log.operations { reader.skip(operation) }
        return reader.leaving(of: member)
    }
}

/// Reads a log and makes lines of its operations.
private struct GroupLineReader {
    private struct Joining {
        /// The hash of the operation that added the member.
        let hash: [UInt8]
        let name: String
    }

    private let group: GroupID
    private var owner: PeerID?
    private var hasTitle = false
    private var present: [PeerID: Joining] = [:]

    init(_ group: GroupID) { self.group = group }

    /// Applies an operation without a line.
    mutating func skip(_ operation: GroupOperation) {
        switch operation.action {
        case .add(let member):
            owner = owner ?? member.identity.id
            present[member.identity.id] = Joining(hash: operation.hash, name: member.nickname?.text ?? "")
        case .remove(let peer), .removeLeaver(let peer): present[peer] = nil
        case .rename: hasTitle = true
        case .handover(let peer, _): owner = peer
        case .policy, .renew: break
        }
    }

    /// Makes the line of an operation, and applies the operation.
    mutating func read(_ operation: GroupOperation) -> GroupLine? {
        defer { skip(operation) }
        let hash = operation.hash
        guard let owner else {
            guard case .add(let founder) = operation.action else { return nil }
            return line(.created, by: founder.identity.id, named: [0] + hash)
        }
        switch operation.action {
        case .add(let member):
            let name = member.nickname?.text ?? ""
            return line(.added, by: owner, named: [0] + hash, about: member.identity.id, name)
        case .remove(let peer):
            guard let joining = present[peer] else { return nil }
            let id = MessageID(sender: peer, chat: group.bytes, content: Self.going(joining.hash))
            return GroupLine(id: id, author: owner, event: .removed, peer: peer, text: joining.name)
        case .removeLeaver(let peer): return leaving(of: peer)
        // The first title is reported with the founding.
        case .rename(let title): return hasTitle ? line(.renamed, by: owner, named: [0] + hash, title.text) : nil
        case .handover(let peer, _):
            return line(.ownershipTransferred, by: owner, named: [0] + hash, about: peer, present[peer]?.name ?? "")
        case .policy, .renew: return nil
        }
    }

    func leaving(of member: PeerID) -> GroupLine? {
        present[member].map { line(.left, by: member, named: Self.going($0.hash)) }
    }

    /// Encodes the name of a leaving.
    ///
    /// Shape: 0, which begins no content ‖ 1 ‖ hash of the operation that added the member.
    private static func going(_ joining: [UInt8]) -> [UInt8] { [0, 1] + joining }

    private func line(
        _ event: GroupLine.Event,
        by author: PeerID,
        named name: [UInt8],
        about peer: PeerID? = nil,
        _ text: String = ""
    ) -> GroupLine {
        let id = MessageID(sender: author, chat: group.bytes, content: name)
        return GroupLine(id: id, author: author, event: event, peer: peer, text: text)
    }
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
