import Earshot
import Foundation
import Testing

@testable import EarshotAssistant

/// Peers that send without end, in virtual time; the end-to-end tests show the cost to a process.
@Suite("A flood of prompts")
struct FloodTests {
    private static let minute = 10_000
    private static let interval = Duration.seconds(60) / minute

    @Test("Of 10,000 prompts in a minute twelve reach the model, others are served, and little is said or kept")
    func oneContact() {
        var trial = SchedulerTrial { $0.rate = AnswerRate(6, in: .seconds(60)) }
        var begun = 0
        var said = 0
        var served = 0
        for number in 0..<Self.minute {
            let effects = trial.ask("flood \(number)")
            begun += effects.count { $0.prompt != nil }
            said += effects.count(where: \.isNotified)
            // Another asker gets an answer at once, each time.
            if number.isMultiple(of: 2_000) {
                let question = "b\(number)"
                let asked = trial.ask(question, by: Samples.bob)
                #expect(asked.compactMap(\.prompt?.last) == [question])
                guard let answer = trial.scheduler.answers.last?.number else { break }
                served += (trial.says("yes", answer) + trial.ends(answer)).count(where: \.isNotified)
            }
            _ = trial.wait(Self.interval)
        }
        #expect((11...12).contains(begun) && served == 5)
        // Each answer that began ended the one before it, and the asker received one notice to wait before each
        // admitted prompt.
        #expect(said <= 2 * begun)
        #expect(
            trial.scheduler.answers.count <= 1 && trial.scheduler.waiting.isEmpty
                && trial.scheduler.dialogues.count <= 2
        )
    }

    @Test("Two thousand contacts at once fill the queue and no more, and none is forgotten who waits")
    func manyContacts() {
        var trial = SchedulerTrial()
        var told = 0
        for number in 0..<2_000 {
            let peer = Samples.numbered(number)
            told += trial.ask("q", by: peer).count(where: \.isNotified)
            #expect(trial.scheduler.answers.count <= 2 && trial.scheduler.waiting.count <= AssistantLimits.queueCount)
            #expect(trial.scheduler.rates.count <= AssistantLimits.peerCount)
        }
        #expect(told == 1_998 && trial.scheduler.watchedPeers.count == 2 + AssistantLimits.queueCount)
        var begun: Set<PeerID> = []
        while let answer = trial.scheduler.answers.first {
            begun.insert(answer.question.asker.peer)
            _ = trial.says("a", answer.number) + trial.ends(answer.number)
        }
        #expect(begun == Set((0..<10).map { Samples.numbered($0) }))
    }

    @Test("Long prompts without end leave no more than the context's budget of each conversation")
    func endless() {
        // `EARSHOT_FLOOD=1` takes 1 GiB, as the end-to-end test does.
        let isWhole = ProcessInfo.processInfo.environment["EARSHOT_FLOOD"] != nil
        let byteCount = 1 << (isWhole ? 30 : 27)
        var trial = SchedulerTrial { $0.contextTokenCount = 65_536 }
        let prompt = String(repeating: "語", count: AssistantLimits.questionByteCount / 3)
        let peers = (0..<AssistantLimits.dialogueCount).map { Samples.numbered($0) }
        for number in 0..<byteCount / AssistantLimits.questionByteCount {
            let begun = trial.ask(prompt, by: peers[number % peers.count])
            guard let answer = trial.scheduler.answers.last?.number else { break }
            _ = trial.says("so", answer) + trial.ends(answer)
            // A check of everything each time would take long.
            guard number.isMultiple(of: 100) else { continue }
            let tokens = begun.reduce(0) { count, effect in
                guard case .begin(_, let messages) = effect else { return count }
                return count + messages.reduce(0) { $0 + $1.tokenCount }
            }
            #expect(tokens > 0 && tokens <= 65_536)
        }
        #expect(trial.scheduler.dialogues.count == AssistantLimits.dialogueCount)
        for (asker, dialogue) in trial.scheduler.dialogues {
            let held = dialogue.prompt("", after: nil, within: .max)?.reduce(0) { $0 + $1.tokenCount } ?? 0
            #expect(held <= 65_536 + AssistantLimits.tokensPerMessage, "\(asker)")
        }
    }

    @Test(
        "A thousand strangers who write 10,000 times in a minute get 120 refusals, no context, no place and no model"
    )
    func unknownPeers() {
        var trial = SchedulerTrial()
        var told = 0
        for number in 0..<Self.minute {
            let effects = trial.ask("let me in", by: Samples.numbered(number % 1_000), trust: .unknown)
            told += effects.count
            #expect(effects.allSatisfy { if case .refuse = $0 { true } else { false } })
            _ = trial.wait(Self.interval)
        }
        #expect((AssistantLimits.refusalCount...AssistantLimits.refusalCount + 2).contains(told))
        #expect(
            trial.scheduler.dialogues.isEmpty && trial.scheduler.rates.count == 0
                && trial.scheduler.watchedPeers.isEmpty
        )
        #expect(trial.ask("q", by: Samples.bob).compactMap(\.prompt) == [["q"]])
    }

    @Test("Asking and stopping in turn is no way round the rate, and stopping what is not there says little")
    func stopping() {
        var trial = SchedulerTrial { $0.rate = AnswerRate(6, in: .seconds(60)) }
        var begun = 0
        var said = 0
        for number in 0..<Self.minute {
            let effects = trial.ask(number.isMultiple(of: 2) ? "q" : "/stop")
            begun += effects.count { $0.prompt != nil }
            said += effects.count(where: \.isNotified)
            _ = trial.wait(Self.interval)
        }
        #expect((3...12).contains(begun) && said <= 40)
    }
}

extension AnswerEffect {
    /// Whether the effect is a message to a peer.
    fileprivate var isNotified: Bool {
        switch self {
        case .reply, .refuse: true
        case .begin, .cancel, .loadPictures, .show, .welcome, .erase, .note: false
        }
    }
}
