import ChatCrypto
import SwiftProtobuf

/// What happened in a group, as lines of its conversation.
extension ChatEngine {
    /// Tells what a log says, as far as it is not in the history yet.
    mutating func placeLines(of log: MembershipLog) throws {
        for line in GroupLine.lines(of: log) { try place(line, in: log.groupID) }
    }

    /// Tells what an operation that was just applied says.
    mutating func placeLine(
        of operation: GroupOperation,
        in group: GroupID
    ) throws {
        guard let log = groups.table[group]?.log, let line = GroupLine.line(of: operation.epoch, in: log) else {
            return
        }
        try place(line, in: group)
    }

    /// Tells that this node's user leaves a group.
    mutating func placeLeaving(of log: MembershipLog) throws {
        guard let line = GroupLine.leaving(of: ownID, in: log) else { return }
        try place(line, in: log.groupID)
    }

    private mutating func place(
        _ line: GroupLine,
        in group: GroupID
    ) throws {
        guard try step.record(.messages, line.id.bytes) == nil else { return }
        var record = ProtoMessageRecord()
        record.id = .bytes(line.id.bytes)
        record.sender = .bytes(line.author.bytes)
        record.conversation = .bytes(conversationID(of: group).bytes)
        record.receivedAt = step.time.wall
        record.status = UInt32(DeliveryStatus.delivered.rank)
        record.content = .bytes(line.encoded)
        try place(record, saying: GroupLine.content(of: record), in: conversationID(of: group))
    }

    /// A stored line as people see it; nil for one that only newer versions know.
    func systemLine(of stored: ProtoMessageRecord) -> SystemLine? {
        guard let record = try? ProtoLineRecord(serializedBytes: Array(stored.content.dropFirst())) else { return nil }
        let peer = PeerID(bytes: record.peer)
        let name = peer.map { trust.isOwn($0) ? nickname : trust[$0]?.name?.text ?? record.text }
        let shown = peer.map { peer in name.flatMap { $0.isEmpty ? nil : $0 } ?? String(peer.description.prefix(8)) }
        switch (GroupLine.Event(rawValue: record.event), peer, shown) {
        case (.founded, _, _): return .founded
        case (.added, let peer?, let name?): return .added(peer, name: name)
        case (.removed, let peer?, let name?): return .removed(peer, name: name)
        case (.left, _, _): return .left
        case (.renamed, _, _): return .renamed(record.text)
        case (.handedOver, let peer?, let name?): return .handedOver(to: peer, name: name)
        case (.added, _, _), (.removed, _, _), (.handedOver, _, _), (nil, _, _): return nil
        }
    }
}

extension GroupLine {
    /// Whether a record holds a line: what somebody sent is kept only if it is a content, and none begins so.
    static func isHeld(by record: ProtoMessageRecord) -> Bool { record.content.first == 0 }

    /// A line as other messages are handed on.
    static func content(of record: ProtoMessageRecord) -> MessageContent.Decoded {
        MessageContent.Decoded(.unknown, sentAt: record.receivedAt, order: 0)
    }

    /// The line as it is kept.
    fileprivate var encoded: [UInt8] {
        var record = ProtoLineRecord()
        record.event = event.rawValue
        record.peer = .bytes(peer?.bytes ?? [])
        record.text = text
        // Encoding fails only for required fields that are missing, which proto3 has not.
        return [0] + ((try? record.serializedBytes()) ?? [])
    }
}
