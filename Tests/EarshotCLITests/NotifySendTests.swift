import Earshot
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Calls of notify-send")
struct NotifySendTests {
    private static func program(_ replies: [String] = []) throws -> NotifySend {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "notify-send")
        try Data("#!/bin/sh\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        let environment = ["PATH": "relative::\(folder.url.path)", "EARSHOT_PASSPHRASE": "secret", "DISPLAY": ":1"]
        return try #require(NotifySend(replies: replies, environment: environment))
    }

    private static func notice(_ text: String, from name: String, _ kind: NoticeKind = .direct) throws -> Notice {
        var policy = NoticePolicy(NoticeSettings(kinds: [kind]))
        let facts = NoticeFacts(
            message: try #require(.init(bytes: [UInt8](repeating: 2, count: 16))),
            conversation: .direct(try #require(.init(bytes: [UInt8](repeating: 1, count: 32)))),
            kind: kind,
            senderName: name,
            text: text,
            receivedAt: Date(timeIntervalSince1970: 0)
        )
        guard case .show(let notice)? = policy.receive(facts, at: .zero).first else {
            throw CommandFailure(.failed, "There is no notice.")
        }
        return notice
    }

    @Test("What a peer chose stands behind the options, as plain text in each of its two places")
    func arguments() throws {
        let notice = try Self.notice(#"-h <a href="x">&amp;\n\074'"#, from: "--icon=<b>&R")
        #expect(
            try Self.program(["On my way", "a=b"]).arguments(for: notice, opensPage: false) == [
                "--app-name=Earshot", "--category=im.received", "--urgency=normal", "--action=read=Mark read",
                "--action=reply0=On my way", "--action=reply1=a=b", "--", "--icon=‹b›＆R",
                #"-h &lt;a href=&quot;x&quot;&gt;&amp;amp;\\n\\074&apos;"#,
            ]
        )
    }

    @Test("A stranger's notice can be dismissed and nothing else")
    func requests() throws {
        let notice = try Self.notice("buy", from: "Shop", .request)
        #expect(
            try Self.program(["On my way"]).arguments(for: notice, opensPage: false) == [
                "--app-name=Earshot", "--category=im.received", "--urgency=low", "--action=dismiss=Dismiss", "--",
                "Earshot", "A person you do not know wants to write to you",
            ]
        )
    }

    @Test(
        "Where a page is served a click opens it, whoever has written",
        arguments: [.direct, .request] as [NoticeKind]
    )
    func opening(kind: NoticeKind) throws {
        let (notice, program) = (try Self.notice("x", from: "Bob", kind), try Self.program())
        let arguments = program.arguments(for: notice, opensPage: true)
        #expect(arguments.filter { $0 != "--action=default=Open" } == program.arguments(for: notice, opensPage: false))
        #expect(arguments.count(where: { $0 == "--action=default=Open" }) == 1)
    }

    @Test("An action stands for its answer, and no other does")
    func replies() throws {
        let program = try Self.program(["one", "two"])
        #expect(["reply0", "reply1", "reply2", "read", ""].map(program.reply) == ["one", "two", nil, nil, nil])
    }

    @Test("The program gets nothing of Earshot's own, and is looked for in folders from the root alone")
    func environment() throws {
        let program = try Self.program()
        #expect(program.environment.keys.sorted() == ["DISPLAY", "PATH"])
        #expect(program.executable.path.hasPrefix("/"))
        #expect(NotifySend(replies: [], environment: ["PATH": ".:"]) == nil)
    }
}
