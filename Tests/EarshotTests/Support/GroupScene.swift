import ChatCrypto
import ChatHistory
import Testing

@testable import ChatCore
@testable import Earshot

/// Engines on one mesh that know each other, with groups among them.
struct GroupScene {
    let world: EngineWorld

    /// Makes the engines.
    ///
    /// All accept each other unless `areStrangers` is set.
    init(
        _ names: [String] = ["Alice", "Bob", "Carol"],
        quality: EngineWorld.Quality = .perfect,
        seed: UInt64 = 1,
        areStrangers: Bool = false
    ) throws {
        world = try EngineWorld(names, quality: quality, seed: seed)
        world.run(for: 10_000)
        guard !areStrangers else { return }
        for index in names.indices {
            for other in names.indices where other != index { try befriend(index, other) }
        }
        for node in world.nodes { node.forgetEvents() }
    }

    /// Lets one node accept another.
    func befriend(_ index: Int, _ other: Int) throws {
        let peer = world[other].id
        try world.step(index) { try $0.decide(.accept, about: peer) }
    }

    /// Creates a group and lets twenty seconds pass.
    func create(
        _ title: String = "Trees",
        by index: Int = 0,
        with members: [Int],
        history: GroupPolicy.History = .none
    ) throws -> GroupID {
        var group: GroupID?
        let peers = members.map { world[$0].id }
        try world.step(index) {
            group = try $0.createGroup(title: title, members: peers, history: history).id
        }
        world.run(for: 20_000)
        return try #require(group)
    }

    /// Runs one step of the owner, once it is sure that it has lost no operation.
    func own(
        _ group: GroupID,
        by index: Int = 0,
        _ body: (inout ChatEngine) throws -> Void
    ) throws {
        for _ in 0..<60 {
            guard try !world[index].read(at: world.now, { $0.isSure(of: group) }) else { break }
            try world.step(index) { try $0.confirm(group) }
            world.run(for: 1_000)
        }
        try world.step(index, body)
    }

    /// Sends a text and returns its id.
    @discardableResult
    func say(_ text: String, by index: Int, in group: GroupID) throws -> MessageID {
        var id: MessageID?
        try world.step(index) { id = try $0.send(text, to: .group(group)).id }
        return try #require(id)
    }

    /// Returns the group as a node knows it.
    func view(_ group: GroupID, of index: Int) throws -> ChatGroup {
        try #require(world[index].engine.view(of: group))
    }

    /// Returns the texts of a group that a node has, in the order shown.
    func texts(_ group: GroupID, of index: Int) throws -> [String] {
        try messages(group, of: index).map(\.text)
    }

    /// Returns the messages of members that a node has of a group, in the order shown.
    func messages(_ group: GroupID, of index: Int) throws -> [Message] {
        try history(group, of: index).filter { !$0.isGroupLine }
    }

    /// Returns the lines of a group's log that a node shows, each with its author.
    func lines(_ group: GroupID, of index: Int) throws -> [GroupLineFacts] {
        try history(group, of: index).filter(\.isGroupLine).map(GroupLineFacts.init)
    }

    /// Returns all messages and lines of a group that a node shows, in the order shown.
    func history(_ group: GroupID, of index: Int) throws -> [Message] {
        try world[index].read(at: world.now) { try $0.history(of: .group(group)).page(limit: 1_000, before: nil) }
    }

    /// Returns the events of a group that a node reported, in order.
    func events(_ group: GroupID, of index: Int) -> [GroupEvent] {
        world[index].events.compactMap { event in
            guard case .group(group, let event) = event else { return nil }
            return event
        }
    }

    func deliveries(of message: MessageID, at index: Int) throws -> [PeerID: DeliveryStatus] {
        let all = try world[index].read(at: world.now) { try $0.deliveries(of: message) }
        return Dictionary(uniqueKeysWithValues: try #require(all).map { ($0.recipient, $0.status) })
    }

    func status(of message: MessageID, at index: Int) throws -> DeliveryStatus? {
        try world[index].read(at: world.now) { try $0.status(of: message) }
    }

    /// Returns the state of a group at a node, independent of the order in which messages came.
    func state(_ group: GroupID, of index: Int) throws -> GroupFacts {
        let view = try view(group, of: index)
        let said = try messages(group, of: index).map { [$0.id.description, $0.sender.description, $0.text] }
        return GroupFacts(
            title: view.title,
            members: view.members.map(\.id),
            owner: view.owner,
            epoch: view.epoch,
            said: Set(said),
            // A member has the lines from its joining on.
            lines: Set(try lines(group, of: index).filter { !["founded", "added"].contains($0.event) })
        )
    }
}

extension Message {
    /// Whether the message is a line of a group's log.
    var isGroupLine: Bool {
        switch systemLine {
        case .created, .added, .removed, .left, .renamed, .ownershipTransferred: true
        case .timer, nil: false
        }
    }
}

/// The facts of a line that all members see alike.
///
/// Names may differ.
struct GroupLineFacts: Hashable {
    let id: MessageID
    let author: PeerID
    let event: String
    let peer: PeerID?

    init(_ line: Message) {
        (id, author) = (line.id, line.sender)
        switch line.systemLine {
        case .created: (event, peer) = ("founded", nil)
        case .added(let who, _): (event, peer) = ("added", who)
        case .removed(let who, _): (event, peer) = ("removed", who)
        case .left: (event, peer) = ("left", nil)
        case .renamed(let title): (event, peer) = (title, nil)
        case .ownershipTransferred(let who, _): (event, peer) = ("handed over", who)
        case .timer, nil: (event, peer) = ("", nil)
        }
    }
}

/// The facts of a group that all members have to agree on.
struct GroupFacts: Hashable {
    let title: String
    let members: [PeerID]
    let owner: PeerID?
    let epoch: UInt32
    let said: Set<[String]>
    let lines: Set<GroupLineFacts>
}

/// Returns the code of the error that the body throws; nil if it throws none.
func refusal(_ body: () throws -> Void) -> ChatError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? ChatError)?.code
    }
}

extension ChatEngine {
    /// Restores the earlier state of the groups, as an owner that signs two histories does.
    mutating func forgetGroupChanges(since past: ChatEngine) { groups = past.groups }
}

extension EngineNode {
    /// Returns the last control message that is still in the outbox.
    func newestNote(at time: ChatTime) throws -> ControlMessage? {
        guard let entry = engine.outbox.inOrder.last(where: \.isControl) else { return nil }
        return try read(at: time) { engine in
            let content = try engine.outbox.content(of: entry.id, in: engine.step)
            return content.flatMap { ReceivedContent($0, mayControl: true).control }
        }
    }
}
