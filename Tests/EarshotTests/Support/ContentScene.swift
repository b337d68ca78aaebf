import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

/// Two contacts on an idealised mesh.
///
/// They use every operation on messages.
struct ContentScene {
    let world: EngineWorld
    var alice: PeerID { world[0].id }
    var bob: PeerID { world[1].id }

    init(quality: EngineWorld.Quality = .perfect, seed: UInt64 = 1) throws {
        world = try EngineWorld(quality: quality, seed: seed)
        for (index, peer) in [(0, bob), (1, alice)] {
            try world.step(index) { try $0.decide(.accept, about: peer) }
        }
    }

    func peer(of index: Int) -> PeerID { index == 0 ? bob : alice }

    /// Sends a text and lets it arrive.
    func say(_ text: String, from index: Int = 0, _ options: MessageOptions = MessageOptions()) throws -> MessageID {
        var id: MessageID?
        let recipient = peer(of: index)
        try world.step(index) { id = try $0.send(text, options, to: .direct(recipient)).id }
        world.run(for: 1_000)
        return try #require(id)
    }

    /// Sends a poll and lets it arrive.
    func ask(_ poll: Poll, from index: Int = 0) throws -> MessageID {
        var id: MessageID?
        let recipient = peer(of: index)
        try world.step(index) { id = try $0.ask(poll, to: .direct(recipient)).id }
        world.run(for: 1_000)
        return try #require(id)
    }

    /// Runs one step of a node, and lets its effects happen.
    func act(_ index: Int, _ body: (inout ChatEngine) throws -> Void) throws {
        try world.step(index, body)
        world.run(for: 1_000)
    }

    /// Returns the code of the error with which a node refuses a step; nil if the node accepts it.
    ///
    /// A refused step changes nothing.
    func refusal(
        _ index: Int,
        _ body: (inout ChatEngine) throws -> Void
    ) -> ChatError.Code? {
        do {
            try world.step(index, body)
            return nil
        } catch {
            return (error as? ChatError)?.code
        }
    }

    /// Returns the messages of the conversation that a node shows.
    func shown(_ index: Int) throws -> [Message] {
        try world[index].history(with: peer(of: index), at: world.now)
    }

    /// Returns a message as a node shows it.
    func shown(_ id: MessageID, at index: Int) throws -> Message? {
        try world[index].read(at: world.now) { try $0.message(id) }
    }

    /// Returns the facts of a message that both nodes show alike.
    func both(_ id: MessageID) throws -> Shown {
        let all = try (0...1).compactMap { try shown(id, at: $0).map(Shown.init) }
        #expect(all.count == 2 && all[0] == all[1])
        return try #require(all.first)
    }
}

/// The facts of a message that all members see alike.
struct Shown: Equatable {
    let id: MessageID
    let sender: PeerID
    let kind: MessageKind
    let text: String
    let earlier: [String]
    let reactions: [Reaction]
    let votes: [[PeerID]]?
    let isClosed: Bool?
    let isDeleted: Bool

    init(_ message: Message) {
        id = message.id
        sender = message.sender
        kind = message.kind
        text = message.text
        earlier = message.earlierTexts.map(\.text)
        reactions = message.reactions.map { Reaction(emoji: $0.emoji, members: $0.members) }
        votes = message.poll?.votes
        isClosed = message.poll?.isClosed
        isDeleted = message.isDeleted
    }
}
