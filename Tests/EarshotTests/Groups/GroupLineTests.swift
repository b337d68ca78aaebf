import ChatCrypto
import ChatHistory
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Lines of what happened in groups")
struct GroupLineTests {
    @Test("All members have the same lines from their joining on, and each has them once over restarts")
    func everything() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave", "Eve"])
        let group = try scene.create(with: [1, 2, 3])
        let ids = scene.world.nodes.map(\.id)
        try scene.world.step(0) { try $0.rename(group, to: "Forest") }
        scene.world.run(for: 5_000)
        try scene.world.step(1) { try $0.leave(group) }
        scene.world.run(for: 5_000)
        try scene.world.step(0) { try $0.remove(ids[2], from: group) }
        try scene.world.step(0) { try $0.transferOwnership(group, to: ids[3]) }
        scene.world.run(for: 5_000)
        try scene.world.step(3) { engine in
            try engine.decide(.accept, about: ids[4])
            try engine.add([ids[4]], to: group)
        }
        scene.world.run(for: 10_000)
        let all = try scene.lines(group, of: 0)
        #expect(
            all.map(\.event) == [
                "founded", "added", "added", "added", "Forest", "left", "removed", "handed over", "added",
            ]
        )
        #expect(all.map(\.author) == [ids[0], ids[0], ids[0], ids[0], ids[0], ids[1], ids[0], ids[0], ids[3]])
        #expect(all.map(\.peer) == [nil, ids[1], ids[2], ids[3], nil, nil, ids[2], ids[3], ids[4]])
        #expect(try scene.lines(group, of: 3) == Array(all.dropFirst(1)))
        #expect(try scene.lines(group, of: 4) == Array(all.suffix(1)))
        for index in 0..<5 {
            let own = try scene.history(group, of: index).map { $0.isOutgoing == ($0.sender == ids[index]) }
            #expect(own.allSatisfy { $0 }, "of \(index)")
        }
        // A member that left or was removed has the lines up to that time.
        #expect(try scene.lines(group, of: 1) == Array(all[1..<6]))
        #expect(try scene.lines(group, of: 2) == Array(all[1..<7]))
        for index in 0..<5 {
            try scene.world.restart(index)
            scene.world.run(for: 5_000)
        }
        #expect(try scene.lines(group, of: 0) == all && scene.lines(group, of: 4) == Array(all.suffix(1)))
        let shown = try scene.history(group, of: 3)
        #expect(shown.map(\.kind) == Array(repeating: .system, count: 8) && shown.allSatisfy { $0.text == "" })
        #expect(shown[5].systemLine == .removed(ids[2], name: "Carol") && shown[5].senderName == "Alice")
        let listed = try scene.world[4].read(at: scene.world.now) { try $0.conversationList() }
        #expect(listed.first { $0.id == .group(group) }?.unreadCount == 0)
    }

    @Test("Lines come in pages with messages, and can be taken out of sight here alone")
    func pages() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        try scene.say("one", by: 0, in: group)
        scene.world.run(for: 5_000)
        let all = try scene.history(group, of: 1)
        #expect(all.map(\.kind) == [.system, .system, .text])
        let page = try scene.world[1].read(at: scene.world.now) {
            try $0.history(of: .group(group)).page(limit: 2, before: all[2].id)
        }
        #expect(page == Array(all[0...1]))
        try scene.world.step(1) { try $0.delete(all[1].id, forEveryone: false) }
        try scene.world.restart(1)
        scene.world.run(for: 5_000)
        #expect(try scene.history(group, of: 1).map(\.id) == [all[0].id, all[2].id])
        #expect(try scene.history(group, of: 2).count == 3)
    }

    @Test("No content makes, changes or takes back a line, not even by the owner whose deed it tells")
    func forgery() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let before = try scene.lines(group, of: 2)
        let line = before[1]
        // A stored line begins with a zero. No content does.
        #expect(MessageContent.decode([0]) == nil && MessageContent.decode([0, 8, 1]) == nil)
        for (number, change) in [
            MessageChange.delete, .edit("added nobody", mentions: [], number: 1), .react("👍", isOn: true, number: 1),
        ].enumerated() {
            try scene.world.step(0) { engine in
                let salt = [UInt8](repeating: UInt8(number), count: 16)
                let content = MessageContent.change(of: line.id, change, salt: salt, at: engine.step.time)
                let body = MessageContent.Body.change(of: line.id, change)
                let decoded = MessageContent.Decoded(body, sentAt: 0, order: 0)
                _ = try engine.enqueue(content, saying: decoded, to: .group(group))
            }
            scene.world.run(for: 2_000)
        }
        for bytes in [[0, 8, 2], [0, 1] + [UInt8](repeating: 7, count: 32)] as [[UInt8]] {
            try scene.world.step(0) { engine in
                let decoded = MessageContent.Decoded(.unknown, sentAt: 0, order: 0)
                _ = try engine.enqueue(bytes, saying: decoded, to: .group(group))
            }
            scene.world.run(for: 2_000)
        }
        #expect(try scene.lines(group, of: 2) == before)
        let shown = try scene.history(group, of: 2)
        #expect(shown.count == before.count && shown.allSatisfy { $0.reactions.isEmpty && !$0.isDeleted })
        #expect(
            refusal { try scene.world.step(0) { try $0.delete(line.id, forEveryone: true) } } == .notAuthor
        )
        #expect(refusal { try scene.world.step(0) { try $0.edit(line.id, to: "x") } } == .notAuthor)
    }

    @Test("An operation of many changes has a line for each, with an id of its own")
    func manyChanges() throws {
        let founder = GroupMember(identity: Identity().publicIdentity, nickname: try Nickname("Alice"))
        var session = try GroupSession.create(as: founder, title: GroupTitle("0"), policy: .standard, at: 1).session
        let members = try (0..<3).map {
            GroupMember(identity: Identity().publicIdentity, nickname: try Nickname("m\($0)"))
        }
        let first = session.log
        let adds = try session.perform(members.map { .add($0) }, at: 1).update.operation
        let changes: [GroupAction] = [
            .remove(members[0].identity.id), .removeLeaver(members[1].identity.id), .rename(try GroupTitle("1")),
        ]
        let second = session.log
        let mixed = try session.perform(changes, at: 1).update.operation
        let lines = GroupLine.lines(of: adds, after: first) + GroupLine.lines(of: mixed, after: second)
        #expect(lines.map(\.event) == [.added, .added, .added, .removed, .left, .renamed])
        #expect(lines.map(\.text) == ["m0", "m1", "m2", "m0", "", "1"])
        #expect(Set(lines.map(\.id)).count == lines.count)
        #expect(GroupLine.leaving(of: members[1].identity.id, in: second)?.id == lines[4].id)
    }
}
