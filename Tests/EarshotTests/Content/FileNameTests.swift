import Earshot
import Foundation
import MeshCore
import Testing

@testable import ChatCore

@Suite("Names of files from elsewhere")
struct FileNameTests {
    @Test(
        "A name that comes is never a path, never hidden and commands nothing",
        arguments: [
            ("photo.jpg", "photo.jpg"),
            ("../../etc/passwd", "passwd"),
            ("/etc/shadow", "shadow"),
            (#"C:\Windows\system.ini"#, "system.ini"),
            (#"..\..\x"#, "x"),
            ("a/", "a"),
            ("", "file"), (".", "file"), ("..", "file"), ("...", "file"), ("/", "file"), ("   ", "file"),
            (".bashrc", "bashrc"), ("..profile", "profile"), ("-rf", "rf"), (". -.x", "x"),
            (" note.txt \n", "note.txt"),
            ("a\u{0}b", "ab"), ("a\nb\r\tc", "abc"), ("\u{1B}[31mred", "[31mred"), ("x\u{7F}\u{85}y", "xy"),
            ("gpj.\u{202E}exe", "gpj.exe"), ("a\u{2028}b\u{2066}c\u{FEFF}", "abc"),
            ("Ünïcödé 🦊.txt", "Ünïcödé 🦊.txt"), ("e\u{301}.txt", "é.txt"),
            ("👩\u{200D}👩\u{200D}👧.png", "👩\u{200D}👩\u{200D}👧.png"),
            ("con..txt", "con..txt"),
        ]
    )
    func hostile(name: String, safe: String) {
        #expect(FileName.safe(name) == safe)
        #expect(FileName.safe(safe) == safe)
    }

    @Test("A long name is cut between characters and keeps its ending", arguments: ["x", "é", "🦊", "👩\u{200D}👧"])
    func long(character: String) {
        let text = String(repeating: character, count: 500)
        for name in [text, text + ".jpeg", "a" + text + ".tar", text + "." + text] {
            let safe = FileName.safe(name)
            #expect(safe.utf8.count <= FileName.byteCount)
            #expect(safe.utf8.count > FileName.byteCount - 25)
            #expect(safe.allSatisfy { name.contains($0) })
        }
        #expect(FileName.safe(text + ".jpeg").hasSuffix(".jpeg"))
    }

    @Test("10,000 random names give names that a file can have", arguments: 1...5 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let scalars = Array("./\\\u{0}\u{1F}\u{202E}\u{2028} -aZ\u{301}é🦊\u{200D}\n\u{E000}".unicodeScalars)
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...120, using: &random)
            let name = String(
                String.UnicodeScalarView((0..<count).compactMap { _ in scalars.randomElement(using: &random) })
            )
            let safe = FileName.safe(name)
            let isGood =
                !safe.isEmpty && safe.utf8.count <= FileName.byteCount && !safe.contains("/") && !safe.contains("\\")
                && safe.first != "." && safe.first != "-"
                && safe.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            #expect(isGood, "seed \(seed): \(name.debugDescription) gave \(safe.debugDescription)")
        }
    }

    @Test("A taken name gets a number in front of its ending")
    func numbered() {
        #expect(FileName.numbered("a.txt", 2) == "a (2).txt")
        #expect(FileName.numbered("a", 3) == "a (3)")
        #expect(FileName.numbered("a.tar.gz", 2) == "a.tar (2).gz")
    }

    @Test("A file of this machine gets the type that its ending says")
    func types() {
        #expect(FileDraft(URL(filePath: "/a/Photo.JPG")).type == "image/jpeg")
        #expect(FileDraft(URL(filePath: "/a/Photo.JPG")).name == "Photo.JPG")
        #expect(FileDraft(URL(filePath: "/a/x")).type == "application/octet-stream")
        #expect(FileDraft(URL(filePath: "/a/x"), name: "../y.png").name == "y.png")
        #expect(FileDraft(URL(filePath: "/a/x"), type: "text/html; x\n").type == "application/octet-stream")
    }
}
