import ChatCrypto
import Earshot

@testable import ChatCore

/// One engine, and peers that send anything that a test gives them.
struct ScriptedWorld {
    let world: EngineWorld

    init() throws {
        world = try EngineWorld(["Alice"])
    }

    var alice: EngineNode { world[0] }
    var engine: ChatEngine { alice.engine }
    var now: ChatTime { world.now }

    /// Makes a peer whose prekey bundle Alice has seen.
    func peer(_ name: String) throws -> ScriptedPeer {
        let peer = try ScriptedPeer(name, at: now)
        try world.receive(peer.bundle)
        return peer
    }

    /// Makes a peer that Alice talks to.
    func friend(_ name: String) throws -> ScriptedPeer {
        let peer = try peer(name)
        try world.step(0) { try $0.decide(.accept, about: peer.id) }
        return peer
    }

    /// Brings content of a peer to Alice and returns its id.
    @discardableResult
    func bring(_ content: [UInt8], from peer: inout ScriptedPeer) throws -> MessageID {
        try world.receive(peer.seal(content, to: engine, at: now))
        return peer.messageID(of: content, to: engine)
    }

    /// Returns the messages that Alice has confirmed to a peer since the last call.
    func confirmed(to peer: inout ScriptedPeer, among ids: [MessageID]) throws -> [MessageID] {
        world.run(for: 1_000)
        let contents = try peer.contents(of: world.takeSubmitted(), at: now)
        return ids.filter { id in contents.contains { $0.firstRange(of: id.bytes) != nil } }
    }

    /// Returns the texts of a conversation, in the order shown.
    func texts(with peer: ScriptedPeer) throws -> [String] {
        try alice.history(with: peer.id, at: now).map(\.text)
    }

    func conversation(with peer: ScriptedPeer) throws -> Conversation? {
        try alice.read(at: now) { try $0.conversationList() }.first { $0.id == .direct(peer.id) }
    }

    func trust(in peer: ScriptedPeer) -> TrustState { engine.trust.state(of: peer.id) }

    func decide(_ decision: TrustDecision, about peer: ScriptedPeer) throws {
        try world.step(0) { try $0.decide(decision, about: peer.id) }
    }
}
