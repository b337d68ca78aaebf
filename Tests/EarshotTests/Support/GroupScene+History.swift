import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

/// New members of groups, and members that send them earlier messages.
extension GroupScene {
    /// Adds a member and lets time pass.
    func add(_ index: Int, to group: GroupID, by owner: Int = 0, for milliseconds: UInt64 = 30_000) throws {
        let peer = world[index].id
        try world.step(owner) { try $0.add([peer], to: group) }
        world.run(for: milliseconds)
    }

    /// Returns the messages that all members have to see alike, in the order shown, except deleted messages.
    func shown(_ group: GroupID, of index: Int) throws -> [Shown] {
        try messages(group, of: index).map(Shown.init).filter { !$0.isDeleted }
    }

    /// Returns the attesters of each message, in the order shown.
    func attesters(_ group: GroupID, of index: Int) throws -> [[PeerID]] {
        try messages(group, of: index).map { $0.attestedBy.map(\.id) }
    }

    /// Returns the pull with which a node asks for earlier messages.
    func pull(_ group: GroupID, of index: Int) -> HistoryPull? { world[index].engine.earlier.pulls[group] }

    /// Sends a control message, as a member with a modified program can.
    func notify(_ note: HistoryMessage, from index: Int, to other: Int, in group: GroupID) throws {
        let identity = world[other].engine.sessions.identity.publicIdentity
        try world.step(index) { try $0.send(.history(group, note), to: identity) }
        world.run(for: 5_000)
    }

    /// Sends records that the recipient has not asked for.
    func notify(_ records: [HistoryRecord], from index: Int, to other: Int, in group: GroupID) throws {
        try notify(.page(HistoryPage(from: nil, next: nil, records: records)), from: index, to: other, in: group)
    }

    /// Returns a record of a text that the sender of the record attributes to the author.
    func claim(_ text: String, by author: PeerID, seconds: UInt32 = 0) -> HistoryRecord {
        let context = MessageContext(seconds: seconds)
        let content = MessageContent.Decoded(.text(.init(text)), sentAt: 1_000, order: 1, context: context)
        return HistoryRecord(
            author: author,
            content: MessageContent.message(content, salt: [UInt8](repeating: 1, count: 16))
        )
    }

    /// Returns a record of a change that the sender of the record attributes to the author.
    func claim(_ change: MessageChange, of target: MessageID, by author: PeerID, id: MessageID? = nil) -> HistoryRecord
    {
        let id = id ?? Numbered.message(77)
        let operation = ChangeOperation(id: id, author: author, target: target, sentAt: 2_000, change)
        return HistoryRecord(author: author, content: MessageContent.change(operation), change: id)
    }

    /// Returns the position of the oldest message that a node has.
    func lowestPlace(_ group: GroupID, of index: Int) throws -> UInt64? {
        try world[index].read(at: world.now) { engine in
            try engine.step.positionedPage(of: .group(group), before: nil, limit: 1_000).last?.place
        }
    }

    /// Returns for each node whether a node gives it a blob, in the order of the nodes.
    func given(_ root: [UInt8], by index: Int) throws -> [Bool] {
        try world.nodes.map { other in
            try world[index].read(at: world.now) { engine in
                try engine.heldBlobs(root, for: other.id).contains {
                    try engine.mayShare($0, to: other.id)
                }
            }
        }
    }

    /// Returns a message as a node stores it.
    func record(of message: MessageID, at index: Int) throws -> HistoryRecord {
        let record = try world[index].read(at: world.now) { engine in
            try engine.step.message(.messages, message.bytes, as: ProtoMessageRecord.self)
        }
        let author = try #require(record.flatMap { PeerID(bytes: $0.sender) })
        return HistoryRecord(author: author, content: [UInt8](try #require(record).content))
    }

    /// Returns the page that a node has written last and that has not arrived.
    func newestPage(of index: Int) throws -> HistoryPage? {
        guard case .history(_, .page(let page)) = try world[index].newestNote(at: world.now) else { return nil }
        return page
    }
}

extension HistoryPage {
    /// The texts of the page, in order.
    var texts: [String] {
        records.compactMap { record in
            guard case .text(let text) = MessageContent.decode(record.content)?.body else { return nil }
            return text.text
        }
    }
}
