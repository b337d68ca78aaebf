import EarshotTesting
import MeshSimulation
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Delivery setting of a node")
struct DeliverySettingTests {
    @Test("A changed setting holds for the node, its rooms, and after a lock, until the node stops")
    func change() async throws {
        let home = try TestHome()
        let settings = ChatConfiguration(mesh: .loopback([MeshOptions.randomGroup()]), delivery: .private)
        let node = try await ChatNode.create(name: "Alice", in: .directory(home.directory), settings)
        try await node.start()
        try await node.changeKey(from: .keyFile, to: .passphrase("right horse"))
        let before = try await node.rooms.create(RoomPlan(title: "Trees"))
        #expect(await node.status.delivery == .private)
        try await node.setDelivery(.fast)
        let after = try await node.rooms.create(RoomPlan(title: "Birds"))
        let rooms = await node.registry.accounts
        #expect(rooms.count == 2 && before.id != after.id)
        for room in rooms { #expect(await room.status.delivery == .fast) }
        let fast = await node.status
        #expect(fast.delivery == .fast && fast.isCarrying)
        try await node.lock()
        #expect(await node.status.delivery == .fast)
        try await node.setDelivery(.auto)
        #expect(await node.status.delivery == .auto)
        try await node.unlock(.passphrase("right horse"))
        let last = await node.status
        #expect(last.delivery == .auto && !last.isCarrying)
        await node.stop()
    }

    @Test("In a crowd a node with private delivery pushes nothing itself, from its start or from a later setting on")
    func pushes() async throws {
        let mesh = VirtualMesh(.clique(20), seed: 3)
        let alice = try await mesh.node("Alice", at: 0, ChatConfiguration(delivery: .private))
        let bob = try await mesh.node("Bob", at: 1)
        var relaying = ChatConfiguration()
        relaying.mesh.isRelayOnly = true
        var relays: [ChatNode] = []
        for host in 2..<20 { relays.append(try await mesh.node("Relay", at: host, relaying)) }
        let (aliceID, toBob) = (alice.identity.id, alice.conversation(.direct(bob.identity.id)))
        #expect(try await mesh.run { try await alice.contacts[bob.identity.id] != nil })
        await mesh.run(for: .seconds(60))
        try await toBob.send("first")
        #expect(try await mesh.run { try await bob.contacts[aliceID] != nil })
        try await bob.contacts.decide(.accept, about: aliceID)
        try await bob.conversation(.direct(aliceID)).send("answer")
        await mesh.run(for: .seconds(5))

        #expect(mesh.sentTraffic(of: 0).pushCount == 0)
        for (setting, isOwn) in [(DeliverySetting.private, false), (.auto, true), (.private, false)] {
            try await alice.setDelivery(setting)
            let before = mesh.sentTraffic(of: 0).pushCount
            let message = try await toBob.send("\(setting)")
            #expect(try await mesh.run { try await toBob.message(message.id)?.status == .delivered })
            await mesh.run(for: .seconds(5))
            #expect((mesh.sentTraffic(of: 0).pushCount > before) == isOwn, "\(setting)")
        }
        for node in [alice, bob] + relays { await node.stop() }
    }
}
