import Foundation
import Testing

/// Pictures in a terminal that shows Sixel, between two nodes on the loopback interface.
///
/// The terminal is emulated in memory, with characters of 9 by 18 pixels; this does not show the rendering of
/// pictures in a real one.
@Suite("Pictures in a chat", .serialized, .timeLimit(.minutes(30)))
struct ChatPictureTests {
    /// A PNG of 600 by 400 pixels: the left half is red, the right half blue.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAlgAAAGQAQMAAABI+4zbAAAABlBMVEX/AAAAAP9sof2OAAAAhklEQVR42u3MMQEAAAgDoDWwf1qtsNMDApA0
        ZhtxuVwul8vlcrlcLpfL5XK5XC6Xy+VyuVwul8vlcrlcLpfL5XK5XC6Xy+VyuVwul8vlcrlcLpfL5XK5XC6Xy+VyuVwul8vlcrlcLpfL5XK5
        XC6Xy+VyuVwul8vlcrlcLpfL5XK5XC7Xm+sAwnmw+Pp1ivkAAAAASUVORK5CYII=
        """

    @Test("A picture is drawn above what is typed where the terminal shows Sixel or is said to, and nowhere else")
    func sixel() async throws {
        let pair = try await ChatPair.start()
        let file = pair.folder.url.appending(path: "sky.png")
        try #require(Data(base64Encoded: Self.picture, options: .ignoreUnknownCharacters)).write(to: file)
        let terminal = try Terminal(pair.chat(), environment: ["TERM": "foot"])
        let alice = try await pair.meet(at: terminal)
        try await see("   2 │ [picture.png", at: terminal, pair, alice, file)
        await terminal.close()

        let told = try Terminal(pair.chat("--images", "sixel", "Bob"), environment: ["TMUX": "/tmp/tmux"])
        try await told.shows("── Bob ──", "Bob>")
        try await see("   4 │ [picture.png", at: told, pair, alice, file)
        await told.close()

        let plain = try Terminal(pair.chat("--images", "none", "Bob"), environment: ["TERM": "foot"])
        try await plain.shows("── Bob ──", "Bob>")
        try await send(file, pair, alice)
        try await plain.shows("   6 │ [picture.png", "is here: /save 6")
        try await pair.bob.send("after it", to: alice)
        let none = try await plain.shows("   7 │ after it", "Bob>")
        #expect(none.pictures.isEmpty)
        await plain.close()
        await pair.bob.stop()
    }

    private func send(_ file: URL, _ pair: ChatPair, _ alice: String) async throws {
        try await pair.bob.call("send", ["to": .string(alice), "images": .array([.string(file.path)])])
    }

    /// Sends the picture as Bob while Alice types.
    private func see(
        _ number: String,
        at terminal: Terminal,
        _ pair: ChatPair,
        _ alice: String,
        _ file: URL
    ) async throws {
        try await terminal.type("half a line")
        try await terminal.shows("Bob> half a line")
        try await send(file, pair, alice)
        let facts = try await terminal.shows(number, "Bob> half a line", pictures: 1)
        let picture = try #require(facts.pictures.first)
        // The picture takes ten rows of 18 pixels; the library draws full light a little darker.
        #expect(picture.width == 270 && picture.height == 180 && picture.isFull, "\(facts)")
        #expect(picture.first[0] > 240 && picture.first[1...].allSatisfy { $0 < 10 }, "\(picture)")
        #expect(picture.last[2] > 240 && picture.last[..<2].allSatisfy { $0 < 10 }, "\(picture)")
        #expect(facts.text.last == "Bob> half a line" && facts.cursor[0] == "Bob> half a line".count)
        #expect(facts.screen.count(where: { $0.hasPrefix("Bob>") }) == 1, "\(facts.screen)")
        #expect(facts.screen.count(where: { $0.hasPrefix("── not verified") }) == 1, "\(facts.screen)")
        let note = try #require(facts.screen.firstIndex { $0.contains("is here: /save") })
        let below = facts.screen[(note + 1)...]
        #expect(below.prefix { $0.isEmpty }.count == 10)
        #expect(below.dropFirst(10).first?.hasPrefix("── not verified") == true)

        try await pair.bob.send("below it", to: alice)
        let after = try await terminal.shows("│ below it", "Bob> half a line")
        #expect(after.pictures.count == 1 && after.screen.count(where: { $0.hasPrefix("Bob>") }) == 1)
    }
}
