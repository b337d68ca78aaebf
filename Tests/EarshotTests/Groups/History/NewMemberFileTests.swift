import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Files of what was said before somebody came")
struct NewMemberFileTests {
    private static func file(_ number: UInt8, _ byteCount: UInt64 = 5_000_000) throws -> SealedFile {
        let root = [UInt8](repeating: number, count: 32)
        let reference = try #require(BlobReference(root: root, byteCount: byteCount))
        return SealedFile(
            file: "\(number)",
            reference: FileReference(name: "map.pdf", type: "application/pdf", reference: reference, key: root)
        )
    }

    private static func root(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    /// Writes a message with a file that all `others` then have.
    private static func show(
        _ number: UInt8,
        by index: Int,
        to others: [Int],
        in group: GroupID,
        _ scene: GroupScene
    ) throws -> BlobID {
        var sent: MessageID?
        let file = try file(number)
        try scene.world.step(index) { sent = try $0.send("\(number)", files: [file], to: .group(group)).id }
        scene.world.run(for: 5_000)
        let id = BlobID(message: try #require(sent), index: 0)
        for other in others { try scene.world.step(other) { try $0.completeFile(id) } }
        scene.world.run(for: 5_000)
        return id
    }

    @Test("A newcomer asks the author first, then who vouches, then the others, and only when its user wants the file")
    func asking() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave", "Eve"])
        let group = try scene.create(with: [1, 2], history: .all)
        let id = try Self.show(1, by: 2, to: [0, 1], in: group, scene)
        try scene.add(3, to: group)
        let shown = try #require(try scene.messages(group, of: 3).first)
        #expect(shown.files.map(\.isExpected) == [false] && scene.world[3].orders == [])
        try scene.world.step(3) { try $0.fetchFile(0, of: id.message) }
        let ids = scene.world.nodes.map(\.id)
        let order = try #require(scene.world[3].orders.last)
        #expect(order.peer == ids[2] && order.others == [ids[0], ids[1]])
        #expect(try scene.given(Self.root(1), by: 1) == [true, true, true, true, false])

        try scene.world.step(3) { try $0.completeFile(id) }
        scene.world.run(for: 5_000)
        #expect(try scene.messages(group, of: 3).first?.files.map(\.isComplete) == [true])
        // A new member that may receive everything also gets a file from another new member.
        try scene.add(4, to: group)
        #expect(try scene.given(Self.root(1), by: 3)[4])
        for node in scene.world.nodes { #expect(try node.isAtRest) }
    }

    @Test("Who asks is sent to nobody who is out, and is told when nobody is left")
    func nobodyLeft() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2], history: .all)
        let id = try Self.show(1, by: 2, to: [0, 1], in: group, scene)
        try scene.add(3, to: group)
        let ids = scene.world.nodes.map(\.id)
        try scene.world.step(0) { try $0.remove(ids[2], from: group) }
        scene.world.run(for: 5_000)
        try scene.world.step(3) { try $0.fetchFile(0, of: id.message) }
        let order = try #require(scene.world[3].orders.last)
        #expect(order.peer == ids[0] && order.others == [ids[1]])
        try scene.world.step(3) { try $0.missFile(id) }
        #expect(scene.world[3].failures == [.fileFailed(.group(group), id.message, file: 0, .gone)])
        for peer in [ids[0], ids[1]] { try scene.world.step(3) { try $0.decide(.block, about: peer) } }
        #expect(refusal { try scene.world.step(3) { try $0.fetchFile(0, of: id.message) } } == .notHere)
        try scene.world.step(0) { try $0.remove(ids[3], from: group) }
        for peer in [ids[0], ids[1]] { try scene.world.step(3) { try $0.decide(.unblock, about: peer) } }
        scene.world.run(for: 20_000)
        #expect(refusal { try scene.world.step(3) { try $0.fetchFile(0, of: id.message) } } == .notMember)
    }

    @Test("Whoever is told nothing of a message is given nothing of it, by none of the members")
    func untold() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1])
        _ = try Self.show(1, by: 1, to: [0], in: group, scene)
        try scene.add(2, to: group)
        let nobodyNew = [true, true, false, false]
        for index in 0...1 { #expect(try scene.given(Self.root(1), by: index) == nobodyNew) }
        // Carol was promised nothing. She does not get the file after members that join later do.
        try scene.world.step(0) { try $0.setHistory(.all, of: group) }
        scene.world.run(for: 5_000)
        try scene.add(3, to: group)
        for index in 0...1 { #expect(try scene.given(Self.root(1), by: index) == [true, true, false, true]) }
        try scene.world.step(0) { try $0.decide(.block, about: scene.world[3].id) }
        #expect(try scene.given(Self.root(1), by: 0) == nobodyNew)
        // From now on every member has the file, including Carol.
        _ = try Self.show(2, by: 1, to: [0, 2], in: group, scene)
        #expect(try scene.given(Self.root(2), by: 1) == [true, true, true, true])
    }

    @Test("Of the last so many a newcomer gets the files and no others, by the account of each member")
    func lastMessages() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [1], history: .last(2))
        for number in 1...4 as ClosedRange<UInt8> { _ = try Self.show(number, by: 0, to: [1], in: group, scene) }
        try scene.add(2, to: group)
        #expect(try scene.texts(group, of: 2) == ["3", "4"])
        for index in 0...1 {
            let given = try (1...4 as ClosedRange<UInt8>).map { try scene.given(Self.root($0), by: index)[2] }
            #expect(given == [false, false, true, true])
        }
        // A deleted message makes no room for an older one at a member that has already sent its history.
        let newest = try #require(try scene.messages(group, of: 0).last?.id)
        try scene.world.step(0) { try $0.delete(newest, forEveryone: false) }
        let given = try (1...4 as ClosedRange<UInt8>).map { try scene.given(Self.root($0), by: 0)[2] }
        #expect(given == [false, false, true, false])
    }

    @Test("Who was in when it was said gets the file, whatever newcomers get and also after coming back")
    func comingBack() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        _ = try Self.show(1, by: 0, to: [1], in: group, scene)
        let carol = scene.world[2].id
        try scene.world.step(0) { try $0.remove(carol, from: group) }
        scene.world.run(for: 5_000)
        _ = try Self.show(2, by: 0, to: [1], in: group, scene)
        #expect(try scene.given(Self.root(1), by: 1) == [true, true, false])
        try scene.add(2, to: group)
        #expect(try scene.given(Self.root(1), by: 1) == [true, true, true])
        #expect(try scene.given(Self.root(2), by: 1) == [true, true, false])
    }

    @Test("In a room who comes later asks the same way")
    func room() throws {
        let scene = try RoomScene()
        let room = try scene.create(RoomPlan(title: "Trees", history: .all))
        try scene.enter(1, with: try scene.invite())
        var sent: MessageID?
        let file = try Self.file(1)
        try scene.world.step(1) { sent = try $0.send("look", files: [file], to: .room(room)).id }
        scene.world.run(for: 5_000)
        let message = try #require(sent)
        try scene.enter(2, with: try scene.invite())
        #expect(try scene.texts(of: 2) == ["look"])
        try scene.world.step(2) { try $0.fetchFile(0, of: message) }
        let order = try #require(scene.world[2].orders.last)
        #expect(order.peer == scene.world[1].id && order.others == [scene.world[0].id])
        #expect(try RoomPlan(title: "x", isEphemeral: true, history: .all).policy().history == .none)
    }
}
