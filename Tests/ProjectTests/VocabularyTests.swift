import Foundation
import Testing

/// The words of the glossary stand in code and comments; those that they replace do not.
@Suite("Vocabulary")
struct VocabularyTests {
    static let sources = Repository.swiftFiles(below: "Sources")

    /// Words of identifiers that are gone; each has one replacement.
    static let words = [
        "absences": "missing", "book": "store", "books": "stores", "burnt": "exhausted", "desk": "scheduler",
        "entrance": "join epoch", "errand": "job", "errands": "jobs", "face": "front end", "fellow": "member",
        "fellows": "members", "flight": "message", "flights": "messages", "founded": "created",
        "givable": "shareable", "growing": "streaming", "hurry": "retry now", "hurried": "retried now",
        "judgement": "diagnosis", "knock": "join request", "knocked": "requested", "knocks": "join requests",
        "ledger": "digests", "narrator": "output", "newcomer": "new member", "newcomers": "new members",
        "news": "event", "owe": "pending receipt", "owed": "pending receipts", "passage": "forwarding",
        "preimage": "delivery proof", "reception": "recipient status", "receptions": "recipient statuses",
        "stranger": "unknown peer", "strangers": "unknown peers", "tell": "notify", "tells": "notifies",
        "ticket": "credential", "told": "notified", "vouched": "attested", "voucher": "attester",
        "vouchers": "attesters", "wish": "request", "wishes": "settings", "workshop": "sanitizer",
    ]

    /// Words of comments that are gone.
    static let commentWords = [
        "burnt": "exhausted", "errand": "job", "knock": "join request", "knocks": "join requests",
        "newcomer": "new member", "newcomers": "new members", "preimage": "delivery proof",
        "stranger": "unknown peer", "strangers": "unknown peers", "voucher": "attester", "vouchers": "attesters",
    ]

    /// Names that a wire, a file or the public interface fixes.
    static let fixed: Set = ["acceptsStranger", "growingAnswerTo", "vouchedBy"]

    @Test("Identifiers and comments of Sources use the words of the glossary")
    func vocabulary() {
        #expect(Self.sources.count > 500)
        let generated = Self.generatedNames()
        #expect(generated.count > 100)
        #expect(Self.sources.flatMap { Self.findings(in: $0, except: generated) } == [])
    }

    @Test("A word that is gone is found in code and comments, and passed over in strings and generated names")
    func planted() {
        let slashes = String(repeating: "/", count: 2)
        let lines = [
            "func takeNewcomer() { note(\"A stranger\") }", "let inFlight = record.preimage",
            "let count = 1 \(slashes) Strangers are counted.", "let text = \"\"\"", "    ticket desk", "    \"\"\"",
        ]
        let file = Repository.File(path: "x.swift", text: lines.joined(separator: "\n"))
        #expect(
            Self.findings(in: file, except: ["preimage"]) == [
                "x.swift:1: say new member, not newcomer", "x.swift:3: say unknown peers, not strangers",
            ]
        )
    }

    /// Lists the lines of a file that use a word that is gone.
    static func findings(in file: Repository.File, except names: Set<String>) -> [String] {
        var found: [String] = []
        var isText = false
        for (index, line) in file.lines.enumerated() {
            let parts = SourceLine(line, isText: &isText)
            for name in parts.names where !names.contains(name) && !fixed.contains(name) && !name.hasPrefix("Proto") {
                found += report(name, in: words).map { "\(file.path):\(index + 1): \($0)" }
            }
            for name in parts.comments where !fixed.contains(name) {
                found += report(name, in: commentWords).map { "\(file.path):\(index + 1): \($0)" }
            }
        }
        return found
    }

    private static func report(_ name: String, in terms: [String: String]) -> [String] {
        let parts = camelWords(name)
        return parts.indices.compactMap { index in
            // Packets are in flight everywhere.
            if parts[index] == "flight", index > 0, parts[index - 1] == "in" { return nil }
            return terms[parts[index]].map { "say \($0), not \(parts[index])" }
        }
    }

    /// Splits a name before each capital letter that follows a small one, and returns the parts in lower case.
    private static func camelWords(_ name: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var isAfterSmall = false
        for byte in name.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isCapital, isAfterSmall { parts.append([]) }
            parts[parts.count - 1].append(isCapital ? byte | 0x20 : byte)
            isAfterSmall = !isCapital
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names that the protobuf compiler has made; the records of a store fix them.
    private static func generatedNames() -> Set<String> {
        let folder = Repository.root.appending(path: "Sources/ChatCore/Records/Generated")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var names: Set<String> = []
        for file in files {
            guard let text = Repository.read("Sources/ChatCore/Records/Generated/\(file)") else { continue }
            var isText = false
            for line in text.split(separator: "\n") {
                let words = SourceLine(line, isText: &isText).names
                for (word, next) in zip(words, words.dropFirst()) where ["var", "case", "func"].contains(word) {
                    names.insert(next)
                }
            }
        }
        return names
    }
}

/// The names in a line's code, and those in its comment; text between quotation marks counts as neither.
private struct SourceLine {
    private(set) var names: [String] = []
    private(set) var comments: [String] = []

    /// Reads a line; `isText` says whether it stands within a literal of several lines, and whether the next one does.
    init(_ line: Substring, isText: inout Bool) {
        var name: [UInt8] = []
        var isQuoted = false
        var isComment = false
        var quoteCount = 0
        var last: UInt8 = 0
        for byte in line.utf8 {
            if Self.isPartOfName(byte) {
                name.append(byte)
            } else {
                if !name.isEmpty, !isQuoted, !isText {
                    let text = String(decoding: name, as: UTF8.self)
                    if isComment { comments.append(text) } else { names.append(text) }
                }
                name.removeAll(keepingCapacity: true)
                quoteCount = byte == Self.quote ? quoteCount + 1 : 0
                if byte == Self.quote, last != Self.backslash, !isComment { isQuoted.toggle() }
                if byte == Self.slash, last == Self.slash, !isQuoted { isComment = true }
                if quoteCount == 3, !isComment { isText.toggle() }
            }
            if Self.isPartOfName(byte) { quoteCount = 0 }
            last = byte
        }
        guard !name.isEmpty, !isQuoted, !isText else { return }
        let text = String(decoding: name, as: UTF8.self)
        if isComment { comments.append(text) } else { names.append(text) }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let slash = UInt8(ascii: "/")

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }
}
