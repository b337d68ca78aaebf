import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Policy of notices")
struct NoticePolicyTests {
    @Test("Several messages of one conversation are one notice with a count, replaced and not stacked")
    func counting() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts("one"))
        #expect(scene.lines == ["Bob|one|1"])
        scene.pass(.seconds(10))
        scene.receive(NoticeScene.facts("two"))
        #expect(scene.lines == ["Bob (2)|two|2"])
        scene.receive(NoticeScene.facts("hi", in: 2, from: "Carol"))
        #expect(scene.lines == ["Bob (2)|two|2", "Carol|hi|1"])
    }

    @Test("A notice names the newest message that it stands for, also where those are of several strangers")
    func newest() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts("one", message: 1))
        scene.receive(NoticeScene.facts("two", message: 2))
        scene.receive(NoticeScene.facts("buy", in: 3, .request, message: 3))
        scene.receive(NoticeScene.facts("buy", in: 4, .request, message: 4))
        #expect(scene.raised.map(\.notice.message) == [NoticeScene.message(1), NoticeScene.message(3)])
        scene.pass(NoticeLimits.requestInterval)
        #expect(scene[1]?.message == NoticeScene.message(2))
        #expect(scene.screen[.requests]?.message == NoticeScene.message(4))
        #expect(scene.screen[.requests]?.conversation == NoticeScene.conversation(4))
    }

    @Test("Messages that come fast are counted in, and the last of them is shown once the pause is over")
    func interval() {
        var scene = NoticeScene()
        for number in 1...50 { scene.receive(NoticeScene.facts("\(number)")) }
        #expect(scene.lines == ["Bob|1|1"])
        #expect(scene.policy.nextDeadline == NoticeLimits.conversationInterval)
        scene.pass(NoticeLimits.conversationInterval)
        #expect(scene.lines == ["Bob (50)|50|50"])
        #expect(scene.raised.count == 2)
        #expect(scene.policy.nextDeadline == NoticeLimits.conversationInterval + NoticeLimits.noticeAge)
    }

    @Test("No more notices are raised within a window than its limit, and all that waited come in turn afterwards")
    func window() {
        var scene = NoticeScene()
        let count = NoticeLimits.topicCount
        for number in 1...count { scene.receive(NoticeScene.facts(in: number, from: "P\(number)")) }
        #expect(scene.raised.map(\.notice.title) == (1...NoticeLimits.showCount).map { "P\($0)" })
        scene.pass(NoticeLimits.showWindow)
        #expect(scene.raised.count == 2 * NoticeLimits.showCount)
        scene.pass(NoticeLimits.showWindow)
        #expect(scene.raised.map(\.notice.title) == (1...count).map { "P\($0)" })
    }

    @Test("What was looked at is taken away, whether it was shown or only waited to be")
    func reading() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts("one"))
        scene.receive(NoticeScene.facts("two"))
        scene.read(1)
        #expect(scene.lines == [])
        scene.pass(.seconds(60))
        #expect(scene.raised.count == 1)
        scene.receive(NoticeScene.facts("three"))
        #expect(scene.lines == ["Bob|three|1"])
        scene.read(2)
        #expect(scene.vainWithdrawals == 0)
    }

    @Test("What was closed stays counted until it is looked at, and does not come back by itself")
    func closing() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts("one"))
        scene.close(.conversation(NoticeScene.conversation(1)))
        scene.pass(.seconds(60))
        #expect(scene.lines == [] && scene.policy.nextDeadline == nil)
        scene.receive(NoticeScene.facts("two"))
        #expect(scene.lines == ["Bob (2)|two|2"])
        scene.read(1)
        scene.pass(.seconds(60))
        scene.receive(NoticeScene.facts("three"))
        #expect(scene.lines == ["Bob|three|1"])
    }

    @Test("A muted conversation raises nothing until its time is over")
    func muting() {
        var scene = NoticeScene()
        var facts = NoticeScene.facts("one")
        facts.mutedUntil = facts.receivedAt + 60
        scene.receive(facts)
        facts.receivedAt += 59.9
        scene.receive(facts)
        #expect(scene.lines == [] && scene.policy.nextDeadline == nil)
        facts.receivedAt += 0.1
        scene.receive(facts)
        #expect(scene.lines == ["Bob|one|1"])
    }

    @Test("Only the kinds that the user asked for raise anything", arguments: NoticeKind.allCases)
    func kinds(kind: NoticeKind) {
        for asked in NoticeKind.allCases {
            var scene = NoticeScene(NoticeSettings(kinds: [asked]))
            scene.receive(NoticeScene.facts(in: 1, kind, group: kind == .group ? "Hiking" : nil))
            #expect(scene.raised.map(\.notice.kind) == (asked == kind ? [kind] : []))
        }
    }

    @Test("Without being asked for, strangers raise nothing")
    func strangersByDefault() {
        var scene = NoticeScene(NoticeSettings())
        for number in 0..<200 { scene.receive(NoticeScene.facts(in: number, .request)) }
        #expect(scene.raised.isEmpty && scene.policy.nextDeadline == nil)
    }

    @Test("Of all strangers there is one notice, which tells nothing they chose, and seldom another")
    func unknownPeers() {
        var scene = NoticeScene()
        for number in 0..<150 {
            for _ in 0..<3 { scene.receive(NoticeScene.facts("Buy \(number)", in: number, .request, from: "Shop")) }
        }
        #expect(scene.lines == ["Earshot|A person you do not know wants to write to you|1"])
        scene.pass(NoticeLimits.requestInterval - .seconds(1))
        #expect(scene.raised.count == 1)
        scene.pass(.seconds(1))
        #expect(scene.lines == ["Earshot|100 people you do not know want to write to you|100"])
        scene.pass(.seconds(3_600))
        #expect(scene.raised.count == 2)
    }

    @Test("The notice of strangers goes when the user has decided about all of them")
    func decisions() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts(in: 1, .request))
        scene.receive(NoticeScene.facts(in: 2, .request))
        scene.decide(on: 1)
        #expect(scene.screen.count == 1)
        scene.read(2)
        #expect(scene.lines == [])
        scene.pass(.seconds(3_600))
        #expect(scene.raised.count == 1)
        scene.receive(NoticeScene.facts("hello", in: 1))
        #expect(scene.lines == ["Bob|hello|1"])
    }

    @Test("With more conversations than are remembered the longest unchanged goes, a closed one first")
    func room() {
        var scene = NoticeScene()
        for number in 1...NoticeLimits.topicCount {
            scene.receive(NoticeScene.facts(in: number))
            scene.pass(NoticeLimits.showWindow)
        }
        #expect(scene.screen.count == NoticeLimits.topicCount)
        scene.receive(NoticeScene.facts(in: 100))
        #expect(scene.screen.count == NoticeLimits.topicCount && scene[1] == nil && scene[100] != nil)
        scene.close(.conversation(NoticeScene.conversation(5)))
        scene.pass(NoticeLimits.showWindow)
        scene.receive(NoticeScene.facts(in: 101))
        #expect(scene.screen.count == NoticeLimits.topicCount && scene[2] != nil && scene[101] != nil)
        #expect(scene.vainWithdrawals == 0)
    }

    @Test("A notice that nobody closes goes after a day")
    func age() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts())
        scene.pass(NoticeLimits.noticeAge - .seconds(1))
        #expect(scene.screen.count == 1)
        scene.pass(.seconds(1))
        #expect(scene.screen.isEmpty && scene.policy.nextDeadline == nil && scene.vainWithdrawals == 0)
    }

    @Test("A mention is said in the title, also when other messages follow it")
    func mentions() {
        var scene = NoticeScene()
        scene.receive(NoticeScene.facts("@Alice?", in: 1, .mention, group: "Hiking"))
        #expect(scene.lines == ["You are mentioned in Hiking|Bob: @Alice?|1"])
        scene.pass(.seconds(10))
        scene.receive(NoticeScene.facts("never mind", in: 1, .group, from: "Eve", group: "Hiking"))
        #expect(scene.lines == ["You are mentioned in Hiking (2)|Eve: never mind|2"])
        scene.read(1)
        scene.pass(.seconds(10))
        scene.receive(NoticeScene.facts("so", in: 1, .group, from: "Eve", group: "Hiking"))
        #expect(scene.lines == ["Hiking|Eve: so|1"])
    }

    @Test(
        "Whatever happens, notices are few, apart, of one line each, true in their counts, and of strangers silent",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func properties(seed: UInt64) {
        var trial = NoticeTrial(seed: seed)
        for _ in 0..<400 { trial.step() }
        #expect(trial.faults == [])
        trial.settle()
        #expect(trial.faults == [])
    }
}
