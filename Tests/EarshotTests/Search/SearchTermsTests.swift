import Earshot
import Testing

@testable import ChatCore

@Suite("What is searched for")
struct SearchTermsTests {
    @Test(
        "A text is found as people expect, in any script",
        arguments: [
            ("The old Oak tree", "oak", true), ("The old Oak tree", "OAK", true), ("The old Oak tree", "tr", true),
            ("The old Oak tree", "tr oak", false), ("The old Oak tree", "tr* oak", true),
            ("The old Oak tree", "ak", false), ("The old Oak tree", "tree oak", true),
            ("The old Oak tree", "tree ash", false), ("The old Oak tree", "", true),
            ("The old Oak tree", "\"old oak\" ", true), ("The old Oak tree", "\"oak old\" ", false),
            ("The old Oak tree", "old ", true), ("The old Oak tree", "ol ", false),
            ("Café crème, Zürich", "cafe creme zurich", true), ("Cafe", "café", true), ("cafe\u{301}", "café", true),
            ("Straße", "strasse", true), ("STRASSE", "straße", true), ("smørrebrød", "SMORREBROD", true),
            ("İstanbul", "istanbul", true), ("Łódź", "lodz", true), ("ΟΔΟΣ οδός", "οδος", true),
            ("Ёлка и ель", "елка", true), ("ПРИВЕТ", "привет", true), ("שָׁלוֹם", "שלום", true), ("مَرْحَبًا", "مرحبا", true),
            ("今日は東京に行く", "東京", true), ("今日は東京に行く", "京都", false), ("東京tower", "tower", true),
            ("東京tower", "東京 tow", true), ("ありがとう", "がと", true), ("ｱﾘｶﾞﾄｳ", "アリガトウ", true), ("ＦＵＬＬ", "full", true),
            ("안녕하세요", "안녕", true), ("สวัสดีครับ", "ครับ", true), ("नमस्ते दुनिया", "दुनिया", true), ("नमस्ते", "नम", true),
            ("well done 🦊👍🏽", "🦊", true), ("well done 🦊👍🏽", "👍", true), ("hi🦊", "hi", true),
            ("see example.com/a?b=1", "example.com", true), ("see example org com", "example.com", false),
            ("I write C++ and C#", "c++", true), ("@Bob, where?", "bob", true), ("it’s 7:30", "7:30", true),
            ("co\u{AD}operate", "cooperate", true), ("ﬁne", "fine", true),
        ]
    )
    func found(text: String, query: String, isFound: Bool) throws {
        let terms = try SearchTerms(query)
        #expect(FoldedText(text).bytes.withUnsafeBytes { terms.areAll(in: $0) } == isFound)
    }

    @Test(
        "What was found is marked where it stands",
        arguments: [
            ("The old Oak tree", "oak", ["Oak"]), ("oak, oak and Oaken", "oak", ["oak", "oak", "Oak"]),
            ("oak oak", "oak ", ["oak", "oak"]), ("Straße", "strass", ["Straß"]), ("今日は東京に行く", "東京", ["東京"]),
            ("東京tower", "tower", ["tower"]), ("Café!", "cafe", ["Café"]), ("cafe\u{301}!", "cafe", ["cafe\u{301}"]),
            ("one two three", "\"two three\"", ["two three"]), ("b a", "a b", ["b", "a"]),
            ("👨‍👩‍👧 home", "home", ["home"]), ("nothing", "", []), ("", "x", []),
        ] as [(String, String, [String])]
    )
    func places(text: String, query: String, marked: [String]) throws {
        let places = try SearchTerms(query).places(in: text)
        let utf8 = Array(text.utf8)
        #expect(places.map { String(decoding: utf8[$0], as: UTF8.self) } == marked)
    }

    @Test("Too much is refused, and so is what has no word")
    func limits() throws {
        let most = [String](repeating: "a", count: SearchLimits.termCount).joined(separator: " ")
        #expect(try SearchTerms(most).needles.count == SearchLimits.termCount)
        #expect(throws: ChatError(.tooLarge, "Search for at most 16 words at once.")) { try SearchTerms(most + " a") }
        _ = try SearchTerms(String(repeating: "a", count: SearchLimits.queryByteCount))
        #expect(throws: ChatError.self) {
            try SearchTerms(String(repeating: "a", count: SearchLimits.queryByteCount + 1))
        }
        #expect(throws: ChatError.self) { try SearchTerms("... !") }
        #expect(try SearchTerms(" \n").needles == [])
    }

    @Test("Of what stands everywhere only so many places are marked")
    func markLimit() throws {
        let text = String(repeating: "a ", count: 2 * SearchLimits.markCount)
        #expect(try SearchTerms("a").places(in: text).count == SearchLimits.markCount)
    }
}
