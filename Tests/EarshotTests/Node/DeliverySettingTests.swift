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
}
