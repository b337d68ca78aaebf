import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("The page of an export", .timeLimit(.minutes(30)))
struct ArchivePageTests {
    @Test("Whatever people write, call themselves or their files, is text and nothing else")
    func hostile() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let attack = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;<!--\u{202E}"
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("<b>\"Bob'&", mesh))
        let scene = try FileScene()
        let page = scene.folder.appending(path: "page.html")
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("<b>\"Bob'&")
            let first = try await alice.node.conversation(.direct(bobID)).send(attack)
            try await alice.node.conversations.holding(first.id).edit(first.id, to: attack + "javascript:alert(1)")
            try await alice.node.conversation(.direct(bobID)).send("]]>", MessageOptions(replyTo: first.id))
            try await alice.node.conversation(.direct(bobID)).ask(Poll("<i>?", options: [attack, "</ol></p>"]))
            let files = [
                FileDraft(try scene.file("1", [1]), name: "\" onload=\"alert(1).png", type: "image/png"),
                FileDraft(
                    try scene.file("2", Array("<svg onload='alert(1)'/>".utf8)),
                    name: "a.svg",
                    type: "image/svg+xml"
                ),
                FileDraft(try scene.file("3", Array("<script>".utf8)), name: "a.html", type: "text/html"),
            ]
            try await alice.node.conversation(.direct(bobID)).send("</style></section>", files: files)
            try await alice.node.conversations.createGroup(title: "</title><script>", members: [bobID])
            try await alice.node.history.export(to: page, ExportOptions(.html))
        }
        let text = try String(contentsOf: page, encoding: .utf8)
        let tags = Set(text.matches(of: /<(\/?[A-Za-z!][A-Za-z0-9]*)/).map { String($0.output.1) })
        let own: Set = [
            "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "nav", "ul", "li", "a",
            "main",
            "section", "h2", "article", "b", "time", "blockquote", "img", "audio", "ol", "details", "summary",
        ]
        #expect(tags.subtracting(own.flatMap { [$0, "/" + $0] }) == [])
        #expect(text.matches(of: /<script|<svg/).isEmpty)
        // Every attribute value ends at the quotation mark that the page writes. No value contains a character that
        // begins a tag.
        let page1 = text.split(separator: "<").dropFirst().compactMap { $0.split(separator: ">").first }
        #expect(page1.allSatisfy { $0.count { $0 == "\"" }.isMultiple(of: 2) })
        #expect(text.contains("default-src 'none'") && text.contains("prefers-color-scheme"))
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !text.unicodeScalars.contains("\u{202E}"))
        #expect(
            text.contains("data:image/png;base64,AQ==") && !text.contains("data:text")
                && !text.contains("data:image/svg")
        )
    }
}
