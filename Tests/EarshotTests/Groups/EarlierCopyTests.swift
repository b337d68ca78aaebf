import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Homes restored from an earlier copy")
struct EarlierCopyTests {
    static let day: UInt64 = 86_400_000

    @Test(
        "What a member's restored home says, and what others say to it, arrives, and nobody is accused",
        arguments: [0, 1]
    )
    func messages(restored: Int) throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let peers = scene.world.nodes.map(\.id)
        let others = [0, 1, 2].filter { $0 != restored }
        for index in 0..<3 { try scene.say("before \(index)", by: index, in: group) }
        scene.world.run(for: 10_000)
        let copy = try scene.world[restored].store.copy()
        for number in 0..<30 {
            try scene.say("\(number)", by: restored, in: group)
            for other in others {
                try scene.world.send("\(number) from \(restored)", from: restored, to: peers[other])
                try scene.world.send("\(number) to \(restored)", from: other, to: peers[restored])
            }
            scene.world.run(for: 5_000)
        }
        scene.world.passUnseen(10 * Self.day)
        try scene.world.goBack(restored, to: copy)
        scene.world.run(for: 120_000)
        for node in scene.world.nodes { node.forgetEvents() }
        for number in 100..<105 {
            try scene.say("\(number)", by: restored, in: group)
            for other in others {
                try scene.say("\(number) of \(other)", by: other, in: group)
                try scene.world.send("\(number) from \(restored)", from: restored, to: peers[other])
                try scene.world.send("\(number) to \(restored)", from: other, to: peers[restored])
            }
            scene.world.run(for: 60_000)
        }
        scene.world.run(for: 120_000)
        for other in others {
            let texts = Set(try scene.texts(group, of: other))
            let own = Set(try scene.texts(group, of: restored))
            let received = Set(try scene.world[other].textsReceived(from: peers[restored], at: scene.world.now))
            let got = Set(try scene.world[restored].textsReceived(from: peers[other], at: scene.world.now))
            for number in 100..<105 {
                #expect(texts.contains("\(number)") && own.contains("\(number) of \(other)"), "\(number)")
                #expect(received.contains("\(number) from \(restored)"), "\(number)")
                #expect(got.contains("\(number) to \(restored)"), "\(number)")
            }
            #expect(scene.events(group, of: other).isEmpty)
        }
    }

    @Test("An owner's restored home asks before it signs, and no group freezes", arguments: [0, 10, 40] as [UInt64])
    func operations(days: UInt64) throws {
        let scene = try GroupScene(["Alice", "Bob", "Carol", "Dave"])
        let group = try scene.create(with: [1, 2, 3])
        try scene.say("hello", by: 0, in: group)
        scene.world.run(for: 10_000)
        let copy = try scene.world[0].store.copy()
        try scene.world.step(0) { try $0.rename(group, to: "Forest") }
        let dave = scene.world[3].id
        try scene.world.step(0) { try $0.remove(dave, from: group) }
        scene.world.run(for: 10_000)
        for _ in 0..<days { scene.world.sleep(for: Self.day) }
        #expect(try scene.view(group, of: 1).title == "Forest")
        let epoch = try scene.view(group, of: 1).epoch

        try scene.world.goBack(0, to: copy)
        #expect(throws: ChatError.self) { try scene.world.step(0) { try $0.rename(group, to: "Wood") } }
        try scene.world.step(0) { try $0.confirm(group) }
        scene.world.run(for: 120_000)
        #expect(scene.world[0].engine.isSure(of: group))
        #expect(try scene.view(group, of: 0).epoch >= epoch)
        try scene.world.step(0) { try $0.rename(group, to: "Wood") }
        scene.world.run(for: 10_000)
        for index in 0..<3 {
            #expect(try scene.view(group, of: index).title == "Wood")
            #expect(try !scene.view(group, of: index).isFrozen)
        }
    }

    @Test("An owner whom nobody answers goes on after ten seconds, and after 45 where a member was heard")
    func nobodyAnswers() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        for (isHeard, wait) in [(false, 10_000), (true, 45_000)] as [(Bool, UInt64)] {
            scene.world.deaf = [1, 2]
            try scene.world.restart(0)
            if isHeard { try scene.world.send("here", from: 1, to: scene.world[0].id) }
            scene.world.run(for: 2_000)
            try scene.world.step(0) { try $0.confirm(group) }
            scene.world.run(for: wait - 1_000)
            #expect(!scene.world[0].engine.isSure(of: group))
            scene.world.run(for: 2_000)
            #expect(scene.world[0].engine.isSure(of: group))
            scene.world.deaf = []
            scene.world.run(for: 60_000)
        }
    }

    @Test("A member that names an epoch the owner does not know holds it up once")
    func claimedEpoch() throws {
        let scene = try GroupScene()
        let group = try scene.create(with: [1, 2])
        let bob = scene.world[1].id
        var ahead = try #require(scene.world[0].engine.groups.membership(group))
        let now = scene.world.now.seconds
        for _ in 0..<3 { _ = try ahead.perform([.renewBlock], at: now) }
        func claim(_ count: UInt32) throws {
            let operation = try #require(ahead.operations(from: ahead.log.epoch - 3 + count, limit: 1).first)
            let note = ControlMessage.operations(group, [operation])
            try scene.world.step(0) { engine in
                let isEarly = try engine.isEarly(note, from: bob)
                #expect(isEarly)
            }
        }
        #expect(scene.world[0].engine.isSure(of: group))
        try claim(2)
        #expect(!scene.world[0].engine.isSure(of: group))
        try scene.world.step(0) { try $0.confirm(group) }
        scene.world.run(for: 5_000)
        #expect(scene.world[0].engine.isSure(of: group))
        try claim(3)
        #expect(scene.world[0].engine.isSure(of: group))
    }
}
