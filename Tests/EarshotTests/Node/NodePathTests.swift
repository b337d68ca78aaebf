import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface.
@Suite("Paths over loopback", .timeLimit(.minutes(30)))
struct NodePathTests {
    /// Lets two nodes talk, so that each knows the other and has a session with it.
    private static func introduce(_ alice: LiveNode, _ bob: LiveNode) async throws -> (alice: PeerID, bob: PeerID) {
        let bobID = try await alice.meets("Bob")
        let aliceID = try await bob.meets("Alice")
        try await alice.node.conversation(.direct(bobID)).send("Hello, Bob")
        _ = try await bob.receives()
        try await bob.node.conversation(.direct(aliceID)).send("Hello, Alice")
        _ = try await alice.receives()
        return (aliceID, bobID)
    }

    /// Pings until there is an answer.
    ///
    /// A busy machine may take longer to answer than a ping waits.
    private static func ping(_ peer: PeerID, from node: LiveNode, isLive: Bool = false) async throws -> PingAnswer {
        while true {
            do {
                return try await node.node.contacts.ping(peer, isLive: isLive)
            } catch {
                guard error.code == .noAnswer else { throw error }
            }
        }
    }

    @Test("Two neighbours ping each other over one link, and a map shows it")
    func neighbours() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        try await withRunning(alice, bob) {
            let ids = try await Self.introduce(alice, bob)
            let answer = try await Self.ping(ids.bob, from: alice)
            #expect(answer.hops == 1)
            #expect(answer.roundTrip > .zero)
            #expect(try await Self.ping(ids.alice, from: bob).hops == 1)
            let map = try await alice.node.map()
            #expect(map.links.map(\.peer) == [ids.bob])
            #expect(map.links.map(\.node) == [try await bob.node.map().node])
            #expect(map.neighbours.map(\.isLinked) == [true])
            #expect(map.contacts.map(\.hops) == [1])
            #expect(map.links.allSatisfy { $0.address.hasPrefix("127.0.0.1:") })
            try await bob.node.contacts.decide(.block, about: ids.alice)
            let error = await #expect(throws: ChatError.self) { try await alice.node.contacts.ping(ids.bob) }
            #expect(error?.code == .noAnswer)
        }
    }

    @Test("Through a relay the other end is two links away, and gone when it stops")
    func relayed() async throws {
        let (left, right) = (MeshOptions.randomGroup(), MeshOptions.randomGroup())
        let relay = try await LiveNode("Relay", MeshOptions.loopback([left, right]).relaying)
        let alice = try await LiveNode("Alice", .loopback([left]))
        let bob = try await LiveNode("Bob", .loopback([right]))
        try await withRunning(relay, alice, bob) {
            let ids = try await Self.introduce(alice, bob)
            #expect(try await Self.ping(ids.bob, from: alice).hops == 2)
            #expect(try await Self.ping(ids.alice, from: bob).hops == 2)
            #expect(try await Self.ping(ids.bob, from: alice, isLive: true).hops == 2)
            #expect(await relay.node.metrics.contains { $0.name == "mesh_live_datagrams_total" })
            let map = try await alice.node.map()
            #expect(map.links.map(\.peer) == [nil])
            #expect(map.contacts.map(\.hops) == [2])
            await bob.node.stop()
            let error = await #expect(throws: ChatError.self) { try await alice.node.contacts.ping(ids.bob) }
            #expect(error?.code == .noAnswer)
        }
    }

    @Test("A node that has not joined the mesh does not wait for an answer")
    func notStarted() async throws {
        let node = try await LiveNode("Alice", MeshOptions())
        let peer = try #require(PeerID(hex: String(repeating: "ab", count: 32)))
        let error = await #expect(throws: ChatError.self) { try await node.node.contacts.ping(peer) }
        #expect(error?.code == .meshUnavailable)
        await node.node.stop()
    }

    @Test("A ping under way ends when the node stops")
    func stopping() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        try await withRunning(alice, bob) {
            let ids = try await Self.introduce(alice, bob)
            await bob.node.stop()
            let ping = Task { try await alice.node.contacts.ping(ids.bob) }
            await alice.node.stop()
            let error = await #expect(throws: ChatError.self) { try await ping.value }
            #expect([.noAnswer, .stopped].contains(error?.code))
        }
    }
}
