import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

@Suite("Texts of notices")
struct NoticeTextTests {
    /// Returns the notice for a text.
    private static func notice(
        _ text: String,
        from name: String = "Bob",
        group: String? = nil,
        fileCount: Int = 0,
        fileKind: NoticeFileKind = .file,
        detail: NoticeDetail = .text
    ) throws -> Notice {
        var policy = NoticePolicy(NoticeSettings(detail: detail))
        var facts = NoticeScene.facts(text, group == nil ? .direct : .group, from: name, group: group)
        facts.fileCount = fileCount
        facts.fileKind = fileKind
        let changes = policy.receive(facts, at: .zero)
        guard case .show(let notice) = try #require(changes.first) else { throw ChatError(.notFound, "No notice.") }
        return notice
    }

    /// Whether no character in a line controls, hides or reorders text, and every isolate around a name is closed.
    static func isHarmless(_ line: String) -> Bool {
        var depth = 0
        for scalar in line.unicodeScalars {
            switch scalar.value {
            case 0x2068: depth += 1
            case 0x2069: depth -= 1
            case 0x200C, 0x200D, 0xFE0E, 0xFE0F: break
            default:
                let properties = scalar.properties
                let isSeen = !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
                let isBlank = properties.isWhitespace && scalar != " "
                guard isSeen, !isBlank, properties.generalCategory != .control, properties.generalCategory != .format
                else { return false }
            }
            guard (0...1).contains(depth) else { return false }
        }
        return depth == 0
    }

    @Test(
        "What could command, hide, pile up or reorder goes, and lines become one",
        arguments: [
            ("one\ntwo\r\n\n\tthree  ", "one two three"), ("a\u{1B}[31mred\u{07}", "a [31mred"),
            ("\u{202E}evil\u{202C} \u{2066}x\u{2069}", "evil x"), ("a\u{0}b\u{85}c\u{2028}d", "a b c d"),
            ("in\u{200B}vi\u{FEFF}si\u{AD}ble\u{E0041}", "invisible"), ("\u{FFFE}\u{FFFF}ok", "ok"),
            ("z" + String(repeating: "\u{301}", count: 50), "z" + String(repeating: "\u{301}", count: 4)),
            ("\u{301}\u{301}a", "a"), ("👩‍👩‍👧 ❤️ 🇵🇱 👍🏽", "👩‍👩‍👧 ❤️ 🇵🇱 👍🏽"), ("zażółć שלום हिन्दी", "zażółć שלום हिन्दी"),
            ("<b>&lt;</b> 'x' \"y\" \\074", "<b>&lt;</b> 'x' \"y\" \\074"), ("--help", "--help"),
        ]
    )
    func cleaning(text: String, line: String) throws {
        let notice = try Self.notice(text, from: text)
        // The test compares scalars, because strings of different scalars can be equal.
        #expect(Array(notice.body.unicodeScalars) == Array(line.unicodeScalars))
        #expect(Array(notice.title.unicodeScalars) == Array(line.unicodeScalars))
    }

    @Test("Long texts and names are cut between characters, also where one character is as long as everything")
    func length() throws {
        let long = try Self.notice(String(repeating: "x", count: 65_536), from: String(repeating: "n", count: 100))
        #expect(long.body == String(repeating: "x", count: NoticeLimits.textLength - 1) + "…")
        #expect(long.title == String(repeating: "n", count: NoticeLimits.nameLength - 1) + "…")
        let whole = String(repeating: "x", count: NoticeLimits.textLength)
        #expect(try Self.notice(whole).body == whole)
        let flags = try Self.notice(String(repeating: "🇵🇱", count: 200))
        #expect(flags.body == String(repeating: "🇵🇱", count: 99) + "…")
        let family = Array(repeating: "👩", count: 5_000).joined(separator: "\u{200D}")
        #expect(try Self.notice(family).body == "…")
    }

    @Test("A text or a name of which nothing is left has words in its place")
    func nothingLeft() throws {
        let notice = try Self.notice("\u{200B}\u{202E}", from: "\u{2060} \u{3164}")
        #expect(notice.title == "Somebody" && notice.body == "New message")
        #expect(try Self.notice("", fileCount: 1).body == "Sent a file")
        #expect(try Self.notice("", fileCount: 3).body == "Sent 3 files")
        #expect(try Self.notice("", fileCount: 1, fileKind: .voice).body == "Sent a voice note")
        #expect(try Self.notice("", fileCount: 2, fileKind: .picture).body == "Sent 2 pictures")
        #expect(try Self.notice("look", fileCount: 3).body == "look")
    }

    @Test("A name amid other text cannot reorder it")
    func isolation() throws {
        let notice = try Self.notice("hello", from: "שלום", group: "Hiking")
        #expect(notice.body == "\u{2068}שלום\u{2069}: hello")
        #expect(notice.title == "Hiking")
        #expect(try Self.notice("hello", from: "Bob", group: "טיול").title == "טיול")
    }

    @Test("With names only no text is told, and hidden not even a name")
    func details() throws {
        let names = try Self.notice("secret", detail: .names)
        #expect(names.title == "Bob" && names.body == "New message")
        let group = try Self.notice("secret", group: "Hiking", detail: .names)
        #expect(group.title == "Hiking" && group.body == "New message")
        let hidden = try Self.notice("secret", group: "Hiking", detail: .hidden)
        #expect(hidden.title == "Earshot" && hidden.body == "New message")
        var scene = NoticeScene(NoticeSettings(detail: .hidden))
        scene.receive(NoticeScene.facts("one"))
        scene.receive(NoticeScene.facts("two"))
        scene.pass(.seconds(5))
        #expect(scene.lines == ["Earshot|2 new messages|2"])
    }

    @Test(
        "No text, whatever is in it, makes a notice that is long or does harm",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let texts = (0..<3).map { _ in NoticeTrial.nonsense(using: &random) }
            let notice = try Self.notice(texts[0], from: texts[1], group: Bool.random(using: &random) ? texts[2] : nil)
            #expect(Self.isHarmless(notice.title) && Self.isHarmless(notice.body), "\(texts.map { Array($0.utf8) })")
            #expect(notice.title.unicodeScalars.count <= NoticeLimits.nameLength)
            #expect(notice.body.unicodeScalars.count <= NoticeLimits.textLength + NoticeLimits.nameLength + 4)
        }
    }
}
