import Testing

@testable import EarshotCLI

@Suite("Text on a terminal")
struct DisplayTextTests {
    @Test(
        "What could command a terminal or reorder its text is made visible, the rest stays",
        arguments: [
            ("Zażółć 语 🦊", "Zażółć 语 🦊"),
            ("👩‍👩‍👧", "👩‍👩‍👧"),
            ("\u{1B}[2J\u{7}", #"\u{1b}[2J\u{7}"#),
            ("a\u{9B}31mb", #"a\u{9b}31mb"#),
            ("a\rb\nc\td", #"a\u{d}b\u{a}c\u{9}d"#),
            ("gnp\u{202E}exe", #"gnp\u{202e}exe"#),
            ("a\u{2066}b\u{2029}c", #"a\u{2066}b\u{2029}c"#),
            ("a\u{E0041}b\u{7F}", #"a\u{e0041}b\u{7f}"#),
        ]
    )
    func safe(text: String, shown: String) {
        #expect(DisplayText.safe(text) == shown)
    }

    @Test("Line feeds stay where lines are kept")
    func lines() {
        #expect(DisplayText.safe("a\nb\u{1B}", keepsLines: true) == "a\nb\\u{1b}")
    }

    @Test(
        "A width counts columns",
        arguments: [("", 0), ("abc", 3), ("e\u{301}", 1), ("语言", 4), ("🦊", 2), ("👩‍👩‍👧", 2), ("Ł한", 3)]
    )
    func width(text: String, columns: Int) {
        #expect(DisplayText.width(text) == columns)
    }
}
