import ChatCrypto
import ChatHistory
import Earshot
import Testing

@testable import ChatCore

/// Two friends on an idealised mesh, who do all that can be done with messages.
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

    /// Asks a question and lets it arrive.
    func ask(_ poll: Poll, from index: Int = 0) throws -> MessageID {
        var id: MessageID?
        let recipient = peer(of: index)
        try world.step(index) { id = try $0.ask(poll, to: .direct(recipient)).id }
        world.run(for: 1_000)
        return try #require(id)
    }

    /// One step, and what follows from it.
    func act(_ index: Int, _ body: (inout ChatEngine) throws -> Void) throws {
        try world.step(index, body)
        world.run(for: 1_000)
    }

    /// Why a node refuses a step, which then has changed nothing.
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

    /// What a node shows of the conversation.
    func shown(_ index: Int) throws -> [Message] {
        try world[index].history(with: peer(of: index), at: world.now)
    }

    /// A message as a node shows it.
    func shown(_ id: MessageID, at index: Int) throws -> Message? {
        try world[index].look(at: world.now) { try $0.message(id) }
    }

    /// A message as both nodes show it, but for what each has of its own.
    func both(_ id: MessageID) throws -> Shown {
        let all = try (0...1).compactMap { try shown(id, at: $0).map(Shown.init) }
        #expect(all.count == 2 && all[0] == all[1])
        return try #require(all.first)
    }
}

/// What all members see alike.
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
        reactions = message.reactions
        votes = message.poll?.votes
        isClosed = message.poll?.isClosed
        isDeleted = message.isDeleted
    }
}
