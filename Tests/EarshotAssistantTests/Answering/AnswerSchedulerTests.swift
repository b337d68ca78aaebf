import Earshot
import Testing

@testable import EarshotAssistant

@Suite("Answer desk")
struct AnswerSchedulerTests {
    @Test(
        "A question begins a request, its pieces are shown, and its whole answer is one message that later prompts have"
    )
    func answering() {
        var trial = SchedulerTrial()
        #expect(trial.ask("q1") == [.begin(1, [PromptMessage(.user, "q1")])])
        #expect(trial.says("a", 1) == [.shown("a", 1)])
        #expect(trial.says("b", 1).isEmpty)
        #expect(trial.wait(.milliseconds(50)) == [.shown("ab", 1)])
        #expect(trial.ends(1) == [.told("ab", 1)])
        #expect(trial.says("late", 1).isEmpty && trial.ends(1).isEmpty && trial.scheduler.nextDeadline == nil)
        #expect(trial.ask("q2").compactMap(\.prompt) == [["q1", "ab", "q2"]])
    }

    @Test("However fast a model is, its answer is shown 20 times a second at most, and the last piece within 50 ms")
    func shows() {
        var trial = SchedulerTrial()
        _ = trial.ask("q")
        var shown: [AnswerEffect] = []
        for _ in 0..<1_000 {
            shown += trial.says("x", 1)
            shown += trial.wait(.milliseconds(1))
        }
        #expect((19...21).contains(shown.count))
        shown += trial.wait(.milliseconds(50))
        #expect(shown.last == .shown(String(repeating: "x", count: 1_000), 1))
    }

    @Test("A new message of the same peer ends the running answer with what it has, and begins the next")
    func goingOn() {
        var trial = SchedulerTrial()
        _ = trial.ask("q1")
        _ = trial.says("half", 1)
        let effects = trial.ask("q2")
        #expect(effects.prefix(2) == [.cancel(1), .told("half\n\n(Stopped: you sent another message.)", 1)])
        #expect(effects.compactMap(\.prompt) == [["q1", "half", "q2"]])
        // Another conversation of the same peer waits.
        let other = trial.ask("q3", in: .group(Samples.group))
        #expect(other.compactMap(\.prompt).isEmpty && trial.scheduler.waiting.count == 1)
        #expect(trial.ends(2).compactMap(\.prompt) == [["q3"]])
    }

    @Test("/stop ends an answer, and /forget what was said; both are for their asker alone")
    func commands() {
        var trial = SchedulerTrial()
        _ = trial.ask("q1") + trial.says("half", 1)
        _ = trial.ask("b1", by: Samples.bob)
        #expect(trial.ask(" /stop\n") == [.cancel(1), .told("half\n\n(Stopped.)", 1)])
        #expect(trial.ask("/stop") == [.told("There is no answer to stop.", 4)])
        _ = trial.says("b", 2) + trial.ends(2)
        _ = trial.ask("q2") + trial.says("x", 3)
        let forgotten = trial.ask("/forget")
        #expect(forgotten == [.cancel(3), .told("x\n\n(Stopped.)", 5), .told("I have deleted our conversation.", 6)])
        #expect(trial.ask("q3").compactMap(\.prompt) == [["q3"]])
        #expect(trial.ask("b2", by: Samples.bob).compactMap(\.prompt) == [["b1", "b", "b2"]])
        #expect(trial.ask("/stop now", by: Samples.carol).isEmpty == false && trial.scheduler.waiting.count == 1)
    }

    @Test("Beyond two answers eight questions wait, are told their place, and are answered in order")
    func queue() {
        var trial = SchedulerTrial()
        let peers = (1...12).map { Samples.peer($0) }
        for peer in peers.prefix(2) { #expect(trial.ask("q", by: peer).compactMap(\.prompt) == [["q"]]) }
        for (place, peer) in peers[2..<10].enumerated() {
            let told = "Your question has number \(place + 1) in the queue."
            #expect(trial.ask("q\(place)", by: peer) == [.told(told, UInt8(place + 3), to: peer)])
        }
        let full = trial.ask("q", by: peers[10])
        #expect(full == [.told("8 questions are waiting already. Ask again later.", 11, to: peers[10])])
        let changed = trial.ask("other", by: peers[2])
        #expect(changed == [.told("(Not answered: you sent another message.)", 3, to: peers[2])])
        #expect(trial.ends(1).compactMap(\.prompt) == [["other"]])
        #expect(trial.ask("/stop", by: peers[3]) == [.told("(Stopped.)", 4, to: peers[3])])
        #expect(trial.ends(2).compactMap(\.prompt) == [["q2"]])
        #expect(trial.scheduler.answers.count == 2 && trial.scheduler.waiting.count == 5)
    }

    @Test("What one asker said is in nobody else's prompt, nor in that of another conversation")
    func apart() {
        var trial = SchedulerTrial { $0.concurrentCount = 8 }
        _ = trial.ask("a1") + trial.says("x", 1) + trial.ends(1)
        #expect(trial.ask("b1", by: Samples.bob).compactMap(\.prompt) == [["b1"]])
        #expect(trial.ask("a2", in: .group(Samples.group)).compactMap(\.prompt) == [["a2"]])
        _ = trial.says("y", 3) + trial.ends(3)
        #expect(trial.ask("b2", by: Samples.bob, in: .group(Samples.group)).compactMap(\.prompt).isEmpty)
        #expect(trial.ask("a3").compactMap(\.prompt) == [["a1", "x", "a3"]])
    }

    @Test("Who asks too often is told once until it may ask again")
    func rate() {
        var trial = SchedulerTrial { $0.rate = AnswerRate(2, in: .seconds(60)) }
        _ = trial.ask("q1") + trial.ask("q2")
        #expect(trial.ask("q3") == [.told("You ask too often. Try again in 31 s.", 3)])
        for _ in 0..<200 { #expect(trial.ask("more").isEmpty) }
        // A command that stops an answer does not count as a question.
        #expect(trial.ask("/stop").count == 2)
        #expect(trial.ask("q", by: Samples.bob).count == 1)
        _ = trial.wait(.seconds(30))
        #expect(trial.ask("q4").count == 1)
    }

    @Test("A model that fails, is silent or does not end leaves one message with what there is")
    func failures() {
        var trial = SchedulerTrial { $0.concurrentCount = 4 }
        _ = trial.ask("q1")
        let fault = ModelFault(.unreachable, "secret detail")
        #expect(trial.scheduler.take(.failed(fault), of: 1, at: trial.now) == [.told(fault.words, 1)])
        _ = trial.ask("q2") + trial.says("half", 2)
        #expect(trial.wait(.seconds(301)) == [.cancel(2), .told("half\n\n(The model took too long.)", 2)])
        _ = trial.ask("q3")
        #expect(trial.ends(3) == [.told("(No answer.)", 3)])
        _ = trial.ask("q4") + trial.says("so", 4)
        #expect(trial.ends(4, isCutOff: true) == [.told("so\n\n(Cut off: the model reached its limit.)", 4)])
        _ = trial.ask("q5")
        let long = String(repeating: "語", count: 21_666)
        _ = trial.says(long, 5)
        #expect(trial.says("語語", 5) == [.cancel(5), .told(long + "\n\n(Cut off: too long.)", 5)])
        // A failed question appears in no later prompt.
        #expect(trial.ask("q6").compactMap(\.prompt).first?.contains("q1") == false)
    }

    @Test("What is too long, empty or no text is refused in words, and reaches no model")
    func refusals() {
        var trial = SchedulerTrial { $0.contextTokenCount = 1_000 }
        #expect(trial.ask("") == [.told("Your message has no text.", 1)])
        #expect(trial.ask("look", hasFiles: true) == [.told("I read only text, no pictures or files.", 2)])
        let long = String(repeating: "x", count: 3_000)
        #expect(trial.ask(long) == [.told("Your message is too long: I read about 1000 tokens.", 3)])
        var wide = SchedulerTrial { $0.contextTokenCount = 1_000_000 }
        #expect(wide.ask(String(repeating: "x", count: 65_536)).compactMap(\.prompt).count == 1)
        #expect(wide.ask(String(repeating: "x", count: 65_537)).compactMap(\.prompt).isEmpty)
    }

    @Test("A stranger is turned away without becoming a contact, and costs nothing more")
    func unknownPeers() {
        var trial = SchedulerTrial()
        guard case .refuse(_, _, answering: _) = trial.ask("hi", trust: .unknown).first else {
            Issue.record("not refused")
            return
        }
        for _ in 0..<200 { #expect(trial.ask("hi", trust: .unknown).isEmpty) }
        #expect(
            trial.scheduler.answers.isEmpty && trial.scheduler.waiting.isEmpty && trial.scheduler.nextDeadline == nil
        )
    }
}
