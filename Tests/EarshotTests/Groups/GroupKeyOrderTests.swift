import ChatCrypto
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Keys of newcomers to groups")
struct GroupKeyOrderTests {
    @Test("What a newcomer writes before a member has heard of it is shown once that one has")
    func keyBeforeOperation() throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol"])
        let group = try scene.create(with: [1])
        // Alice's update about Carol reaches Bob only after Carol's key and message.
        scene.world.deaf = [1]
        try scene.add(2, to: group, for: 1_000)
        let update = scene.world.submitted
        scene.world.deaf = []
        try scene.say("first", by: 2, in: group)
        scene.world.run(for: 5_000)
        #expect(try scene.texts(group, of: 1).isEmpty)
        #expect(try scene.view(group, of: 1).members.count == 2)
        for submission in update { try scene.world.receive(submission, at: 1) }
        scene.world.run(for: 10_000)
        #expect(try scene.view(group, of: 1).members.count == 3)
        #expect(try scene.texts(group, of: 1) == ["first"])
    }
}
