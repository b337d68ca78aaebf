import Earshot
import Testing

@testable import ChatCore

@Suite("Mentions")
struct MentionTests {
    private static let (ann, anna, bob, other) = (
        Numbered.peer(1), Numbered.peer(2), Numbered.peer(3), Numbered.peer(4)
    )

    private func find(_ text: String, chosen: [Mention] = []) -> [Mention] {
        let names = [
            (peer: Self.ann, name: "Ann"), (peer: Self.anna, name: "Anna Lee"), (peer: Self.bob, name: "Bob"),
            (peer: Self.other, name: "Bob"),
        ]
        return Mention.find(in: text, names: names, chosen: chosen.map(\.peer))
    }

    @Test("The longest name that fits is meant, wherever it stands")
    func names() {
        #expect(find("@Ann") == [Mention(Self.ann, at: 0..<4)])
        #expect(find("hé @Anna Lee!") == [Mention(Self.anna, at: 4..<13)])
        #expect(find("(@Ann)@Ann") == [Mention(Self.ann, at: 1..<5), Mention(Self.ann, at: 6..<10)])
    }

    @Test(
        "A part of a word, an address and nobody's name are no mentions",
        arguments: ["@Anne", "x@Ann", "@", "@Carl", "Ann"]
    )
    func others(text: String) {
        #expect(find(text) == [])
    }

    @Test("A name of two members means the one that the writer chose, or none")
    func ambiguous() {
        #expect(find("@Bob") == [])
        #expect(find("@Bob", chosen: [Mention(Self.other, at: 0..<1)]) == [Mention(Self.other, at: 0..<4)])
    }
}
