import Earshot
import Testing

@testable import EarshotAssistant

@Suite("Absence and forgetting")
struct AbsenceTests {
    @Test("Half a minute out of reach ends what is done for a peer; a ping that is answered begins it anew")
    func absence() {
        var trial = SchedulerTrial()
        _ = trial.ask("q1") + trial.says("half", 1)
        #expect(trial.scheduler.watchedPeers == [Samples.alice])
        _ = trial.wait(.seconds(29))
        trial.scheduler.noteSeen(Samples.alice, at: trial.now)
        _ = trial.wait(.seconds(29))
        #expect(trial.scheduler.answers.count == 1)
        #expect(trial.wait(.seconds(1)) == [.cancel(1), .told("half\n\n(Stopped: you were out of reach.)", 1)])
        #expect(trial.scheduler.watchedPeers.isEmpty && trial.scheduler.nextDeadline == nil)
        #expect(trial.ask("q2").compactMap(\.prompt) == [["q1", "half", "q2"]])
    }

    @Test("What ends with its conversation or who asked in it makes room for those who wait")
    func ended() {
        var trial = SchedulerTrial { $0.concurrentCount = 1 }
        let group = ConversationID.group(Samples.group)
        _ = trial.ask("q1", in: group)
        for (peer, text) in [(Samples.bob, "b1"), (Samples.carol, "c1")] { _ = trial.ask(text, by: peer, in: group) }
        _ = trial.ask("d1", by: Samples.peer(1))
        let left = trial.scheduler.forget(Asker(peer: Samples.alice, conversation: group), at: trial.now)
        #expect(left.first == .cancel(1) && left.compactMap(\.prompt) == [["b1"]])
        let closed = trial.scheduler.forget(group, at: trial.now)
        #expect(closed.first == .cancel(2) && closed.compactMap(\.prompt) == [["d1"]])
        #expect(trial.scheduler.waiting.isEmpty)
    }

    @Test("Whose absence nobody can tell is answered all the same")
    func unheard() {
        var trial = SchedulerTrial { $0.access = AccessRule(listed: [Samples.alice]) }
        _ = trial.ask("q1", trust: .unknown)
        #expect(trial.scheduler.watchedPeers.isEmpty)
        #expect(trial.wait(.seconds(60)).isEmpty && trial.scheduler.answers.count == 1)
    }

    @Test("Where it is to forget, a peer that goes leaves nothing behind; others' stays")
    func forgetting() {
        var trial = SchedulerTrial { $0.forgetsOnDisconnect = true }
        _ = trial.ask("q1") + trial.says("x", 1) + trial.ends(1)
        _ = trial.ask("b1", by: Samples.bob) + trial.says("y", 2) + trial.ends(2)
        _ = trial.wait(.seconds(20))
        trial.scheduler.noteSeen(Samples.bob, at: trial.now)
        #expect(trial.wait(.seconds(10)) == [.erase(.direct(Samples.alice))])
        #expect(trial.ask("q2").compactMap(\.prompt) == [["q2"]])
        #expect(trial.ask("b2", by: Samples.bob).compactMap(\.prompt) == [["b1", "y", "b2"]])
    }

    @Test("What is gone from the history is in no prompt any more, and ends nobody else's answer")
    func gone() {
        var trial = SchedulerTrial()
        _ = trial.ask("q1") + trial.says("x", 1) + trial.ends(1)
        _ = trial.ask("q2") + trial.says("y", 2) + trial.ends(2)
        trial.scheduler.forget(Samples.message(1))
        #expect(trial.ask("q3").compactMap(\.prompt) == [["q2", "y", "q3"]])
        _ = trial.ask("b1", by: Samples.bob)
        #expect(trial.scheduler.forget(.direct(Samples.alice), at: trial.now) == [.cancel(3)])
        #expect(trial.scheduler.answers.map(\.question.asker.peer) == [Samples.bob])
        #expect(trial.scheduler.forgetAll() == [.cancel(4)] && trial.scheduler.watchedPeers.isEmpty)
        #expect(trial.ask("q4").compactMap(\.prompt) == [["q4"]])
    }

    @Test("Of 65 conversations the one that was used longest ago is forgotten")
    func dialogues() {
        var trial = SchedulerTrial()
        for number in 1...65 {
            let answer = UInt64(number)
            _ = trial.ask("q", by: Samples.peer(UInt8(number))) + trial.says("x", answer) + trial.ends(answer)
        }
        #expect(trial.scheduler.dialogues.count == AssistantLimits.dialogueCount)
        #expect(trial.ask("more", by: Samples.peer(1)).compactMap(\.prompt) == [["more"]])
        #expect(trial.ask("more", by: Samples.peer(2)).compactMap(\.prompt) == [["q", "x", "more"]])
    }

    @Test("An assistant that ends says so to all whose questions are open")
    func ending() {
        var trial = SchedulerTrial { $0.concurrentCount = 1 }
        _ = trial.ask("q1") + trial.says("half", 1) + trial.ask("b1", by: Samples.bob)
        #expect(
            trial.scheduler.end(at: trial.now) == [
                .told("(Not answered: the assistant is ending.)", 2, to: Samples.bob), .cancel(1),
                .told("half\n\n(Stopped: the assistant is ending.)", 1),
            ]
        )
        #expect(trial.scheduler.end(at: trial.now).isEmpty)
    }
}
