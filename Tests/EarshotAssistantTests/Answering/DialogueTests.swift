import Testing

@testable import EarshotAssistant

@Suite("Dialogue")
struct DialogueTests {
    /// Makes a text with this many estimated tokens.
    private static func text(_ sign: Character, tokens: Int) -> String {
        String(repeating: sign, count: (tokens - AssistantLimits.tokensPerMessage) * AssistantLimits.bytesPerToken)
    }

    @Test("A prompt has the instruction, the turns before it in order, and the question")
    func prompt() {
        var dialogue = Dialogue()
        dialogue.add(Samples.message(1), "q1", "a1", within: 1_000)
        dialogue.add(Samples.message(2), "q2", "a2", within: 1_000)
        let said = [
            PromptMessage(.user, "q1"), PromptMessage(.assistant, "a1"), PromptMessage(.user, "q2"),
            PromptMessage(.assistant, "a2"),
        ]
        let asked = [PromptMessage(.user, "q3")]
        #expect(dialogue.prompt("q3", after: nil, within: 1_000) == said + asked)
        #expect(
            dialogue.prompt("q3", after: "be kind", within: 1_000) == [PromptMessage(.system, "be kind")] + said + asked
        )
        dialogue.remove(Samples.message(1))
        #expect(dialogue.prompt("q3", after: nil, within: 1_000) == Array(said[2...]) + asked)
    }

    @Test("What does not fit the budget goes turn by turn, the oldest first, and never the instruction")
    func trimming() {
        var dialogue = Dialogue()
        for number in 1...5 {
            let sign = Character("\(number)")
            dialogue.add(
                Samples.message(UInt8(number)),
                Self.text(sign, tokens: 50),
                Self.text(sign, tokens: 50),
                within: 400
            )
        }
        func turns(_ budget: Int, instruction: String? = nil) -> [Character]? {
            dialogue.prompt(Self.text("q", tokens: 100), after: instruction, within: budget)?.compactMap(
                \.content.first
            )
        }
        #expect(turns(10_000) == Array("22334455q"))
        #expect(turns(300) == Array("4455q") && turns(299) == Array("55q"))
        #expect(turns(300, instruction: Self.text("s", tokens: 50)) == Array("s55q"))
        #expect(turns(100) == ["q"] && turns(99) == nil)
    }
}
