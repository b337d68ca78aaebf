import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Notices of real nodes on a real notification daemon.
///
/// This does not show every rule of the policy, which its own tests do, nor a desktop with a panel.
@Suite("Notices on a desktop", .serialized, .timeLimit(.minutes(30)), .enabled(if: Desktop.isPossible))
struct DesktopNoticesTests {
    /// Alice, whose node shows notices, and Bob, her contact; both on the loopback interface.
    private struct Pair {
        let folder: TemporaryFolder
        let group: String
        let alice: NodeProcess
        let bob: NodeProcess
        let bobID: String
        let aliceID: String

        init(_ options: [String], _ environment: [String: String], bobName: String = "Bob") async throws {
            folder = try TemporaryFolder()
            group = NodeProcess.randomGroup()
            alice = try Self.node("Alice", "alice", folder, group, options, environment)
            bob = try Self.node(bobName, "bob", folder, group, [], [:])
            aliceID = try await alice.ready()
            bobID = try await bob.ready()
            try await alice.knows(bobID)
            try await bob.knows(aliceID)
            try await alice.call("trust", ["peer": .string(bobID), "action": "accept"])
            try await bob.call("trust", ["peer": .string(aliceID), "action": "accept"])
        }

        static func node(
            _ name: String,
            _ place: String,
            _ folder: TemporaryFolder,
            _ group: String,
            _ options: [String],
            _ environment: [String: String]
        ) throws -> NodeProcess {
            let home = folder.url.appending(path: place)
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name=\(name)", "--no-passphrase",
            ])
            try #require(made.status == 0, "\(made.errors)")
            let mesh = NodeProcess.loopback(group)
            return try NodeProcess(place, home: home, mesh + options, environment: environment)
        }

        func bobSends(_ text: String) async throws {
            try await bob.call("send", ["to": .string(aliceID), "text": .string(text)])
        }

        func unread() async throws -> Int? {
            let conversations = try await alice.call("conversations")
            return conversations.array?.first { $0["id"]?.string == bobID }?["unread"]?.int
        }

        func stop() async {
            await alice.stop()
            await bob.stop()
        }
    }

    @Test("Messages are shown as they were written, counted in one notice, and marked as read or answered from it")
    func actions() async throws {
        let desktop = try await Desktop()
        defer { desktop.close() }
        let options = ["--notify", "text", "--notify-reply", "On my way"]
        let pair = try await Pair(options, desktop.environment, bobName: "--icon=<i>B&b")
        let text = #"--hint=int:x:1 <b>b</b> &amp; \074u\076 \n "q" 'r'"#
        try await pair.bobSends(text + "\u{202E}\u{1B}[31m")
        let first = try await desktop.nextNotice()
        let escaped = #"--hint=int:x:1 &lt;b&gt;b&lt;/b&gt; &amp;amp; \074u\076 \n &quot;q&quot; &apos;r&apos; [31m"#
        #expect(first == Desktop.Shown(summary: "--icon=‹i›B＆b", body: escaped, urgency: "NORMAL"))
        try await pair.bobSends("second")
        let second = try await desktop.nextNotice()
        #expect(second == Desktop.Shown(summary: "--icon=‹i›B＆b (2)", body: "second", urgency: "NORMAL"))
        #expect(try await desktop.nextClosing() == 3)
        #expect(try desktop.noticeCount() == 1)

        try desktop.choose("Mark read")
        _ = try await pair.alice.event("looked at") { $0["conversation"]?["unread"]?.int == 0 }
        #expect(try await pair.unread() == 0)
        _ = try await desktop.nextClosing()

        try await pair.bobSends("third")
        #expect(try await desktop.nextNotice().body == "third")
        try desktop.choose("On my way")
        let answer = try await pair.bob.event("the answer") { $0["message"]?["text"]?.string == "On my way" }
        #expect(answer["message"]?["from"]?.string == pair.aliceID)
        _ = try await pair.alice.events(2, "looked at") { $0["conversation"]?["unread"]?.int == 0 }
        #expect(try desktop.noticeCount() == 0)
        await pair.stop()
    }

    @Test("What is read elsewhere, muted or left by the node's end goes, and strangers raise nothing")
    func withdrawing() async throws {
        let desktop = try await Desktop()
        defer { desktop.close() }
        let pair = try await Pair(["--notify", "names"], desktop.environment)
        try await pair.bobSends("one")
        let shown = Desktop.Shown(summary: "Bob", body: "New message", urgency: "NORMAL")
        #expect(try await desktop.nextNotice() == shown)
        try await pair.alice.call("markRead", ["conversation": .string(pair.bobID)])
        #expect(try await desktop.nextClosing() == 3)

        let eve = try Pair.node("Eve", "eve", pair.folder, pair.group, [], [:])
        _ = try await eve.ready()
        try await eve.knows(pair.aliceID)
        try await eve.call("send", ["to": .string(pair.aliceID), "text": "buy"])
        _ = try await pair.alice.event("a request") { $0["message"]?["text"]?.string == "buy" }
        try await pair.bobSends("two")
        #expect(try await desktop.nextNotice() == shown)
        try await pair.alice.call("mute", ["conversation": .string(pair.bobID)])
        #expect(try await desktop.nextClosing() == 3)
        try await pair.bobSends("three")
        _ = try await pair.alice.event("a message") { $0["message"]?["text"]?.string == "three" }
        try await pair.alice.call("unmute", ["conversation": .string(pair.bobID)])
        try await pair.alice.call("markRead", ["conversation": .string(pair.bobID)])
        try await pair.bobSends("four")
        #expect(try await desktop.nextNotice() == shown)
        await pair.alice.stop()
        #expect(try await desktop.nextClosing() == 3)
        #expect(try desktop.noticeCount() == 0)
        await eve.stop()
        await pair.bob.stop()
    }

    @Test("A click on a notice opens the page at its message, by an address that is good once and no argument shows")
    func opening() async throws {
        let desktop = try await Desktop()
        defer { desktop.close() }
        let browser = try StandInBrowser()
        let environment = desktop.environment.merging(["PATH": browser.path]) { $1 }
        let pair = try await Pair(["--notify", "text", "--web=0"], environment)
        try await pair.bobSends("come and see")
        _ = try await desktop.nextNotice()
        let message = try await pair.alice.event("a message") { $0["message"]?["text"]?.string == "come and see" }
        try desktop.click()
        let opened = try await browser.nextCall()
        #expect(opened.arguments.contains(/\/earshot-[0-9a-f]{32}\.html$/) && opened.mode == "600")
        #expect(!opened.arguments.contains("/."))
        // A browser with blocked signals would ignore requests to end.
        #expect(opened.blockedSignals.allSatisfy { $0 == "0" }, "\(opened.blockedSignals)")
        let found = opened.file.firstMatch(of: /url=(http:\/\/127\.0\.0\.1:\d+\/)#([0-9a-f]{64})([^"]*)"/)
        let (_, page, token, place) = try #require(found?.output, "\(opened.file)")
        #expect(place == "/c/\(pair.bobID)/m/\(message["message"]?["id"]?.string ?? "")")
        var exchange = URLRequest(url: try #require(URL(string: page + "session")))
        (exchange.httpMethod, exchange.httpBody) = ("POST", Data(token.utf8))
        exchange.setValue(String(page.dropLast()), forHTTPHeaderField: "Origin")
        for status in [200, 401] {
            let (_, answer) = try await URLSession(configuration: .ephemeral).data(for: exchange)
            #expect((answer as? HTTPURLResponse)?.statusCode == status)
        }
        #expect(!FileManager.default.fileExists(atPath: opened.arguments))
        // The message stays unread, since the stand-in browser does not show the page.
        #expect(try await pair.unread() == 1)
        await pair.stop()
    }

    @Test("Where no notification daemon is, that is told once, and messages come all the same")
    func noDaemon() async throws {
        let folder = try TemporaryFolder()
        let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.url.path)/nobody", "DISPLAY": ""]
        let pair = try await Pair(["--notify", "text"], nowhere)
        try await pair.bobSends("one")
        try await pair.alice.complains(of: "A notification could not be shown: ")
        try await pair.bobSends("two")
        _ = try await pair.alice.event("two") { $0["message"]?["text"]?.string == "two" }
        #expect(try await pair.unread() == 2)
        await pair.stop()
        #expect(try await pair.alice.complaints().ranges(of: "A notification could not be shown").count == 1)
    }

    @Test("Where notify-send is missing the node says so and goes on")
    func noProgram() async throws {
        let folder = try TemporaryFolder()
        let pair = try await Pair(["--notify", "text"], ["PATH": folder.url.path])
        try await pair.bobSends("one")
        _ = try await pair.alice.event("one") { $0["message"]?["text"]?.string == "one" }
        #expect(try await pair.alice.complaints().contains("notify-send is missing"))
        await pair.stop()
    }
}

extension NodeProcess {
    /// Waits until the node reports this error.
    fileprivate func complains(of what: String) async throws {
        let log = try LineProcess(["tail", "-n", "+1", "-F", errorFile.path])
        defer { log.stop() }
        while let line = await log.next() {
            if line.contains(what) { return }
        }
        throw Failure(description: "There was no complaint of \(what).")
    }

    /// The errors that the node has reported.
    fileprivate func complaints() throws -> String { try String(contentsOf: errorFile, encoding: .utf8) }
}

extension JSONValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}
