import Earshot

@testable import EarshotAssistant

/// A desk with a clock of its own, whose effects the tests take as they come.
struct SchedulerTrial {
    var scheduler: AnswerScheduler
    var now = ContinuousClock.now
    private var messageCount: UInt8 = 0

    init(_ adjust: (inout AssistantSettings) -> Void = { _ in }) {
        var settings = AssistantSettings()
        settings.rate = AnswerRate(1_000, in: .seconds(1))
        adjust(&settings)
        scheduler = AnswerScheduler(settings)
    }

    /// Asks a question as a verified contact.
    ///
    /// Its number is the count of messages so far, modulo 256.
    mutating func ask(
        _ text: String,
        by peer: PeerID = Samples.alice,
        in conversation: ConversationID? = nil,
        trust: TrustState = .verified,
        hasFiles: Bool = false,
        pictures: [UInt64] = []
    ) -> [AnswerEffect] {
        messageCount &+= 1
        let asker = Asker(peer: peer, conversation: conversation ?? .direct(peer))
        let id = Samples.message(messageCount)
        var question = Question(id: id, asker: asker, trust: trust, text: text, hasFiles: hasFiles)
        question.offered = pictures.map { OfferedPicture(type: "image/png", byteCount: $0) }
        return scheduler.take(question, at: now)
            .filter { if case .note = $0 { false } else { true } }
    }

    mutating func says(_ text: String, _ number: UInt64) -> [AnswerEffect] {
        scheduler.take(.text(text), of: number, at: now)
    }

    mutating func ends(_ number: UInt64, isCutOff: Bool = false) -> [AnswerEffect] {
        scheduler.take(.ended(isCutOff: isCutOff, tokenCount: nil), of: number, at: now)
    }

    /// Advances the clock.
    mutating func wait(_ duration: Duration) -> [AnswerEffect] {
        now = now.advanced(by: duration)
        return scheduler.tick(at: now).filter { if case .note = $0 { false } else { true } }
    }
}

extension AnswerEffect {
    /// The texts of the prompt, if the effect begins an answer.
    var prompt: [String]? { if case .begin(_, let messages) = self { messages.map(\.content) } else { nil } }

    /// Makes the effect that sends a text as the answer to a message.
    static func told(_ text: String, _ message: UInt8, to peer: PeerID = Samples.alice) -> AnswerEffect {
        .reply(Asker(peer: peer, conversation: .direct(peer)), text, answering: Samples.message(message))
    }

    static func shown(_ text: String, _ message: UInt8, to peer: PeerID = Samples.alice) -> AnswerEffect {
        .show(Asker(peer: peer, conversation: .direct(peer)), text, answering: Samples.message(message))
    }
}
