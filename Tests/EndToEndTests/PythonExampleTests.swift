import Foundation
import Testing

/// The client of `Examples/Python` on a node of its own, on the loopback interface.
@Suite("Python example")
struct PythonExampleTests {
    @Test("What a friend writes comes back, and the client ends with its node")
    func echoes() async throws {
        let folder = try TemporaryFolder()
        let mesh = NodeProcess.loopback()
        func node(_ name: String) throws -> NodeProcess {
            let home = folder.url.appending(path: name)
            try Command.run([Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase"])
            return try NodeProcess(name, home: home, mesh)
        }
        let (alice, parrot) = (try node("Alice"), try node("Parrot"))
        _ = try await alice.ready()
        let parrotID = try await parrot.ready()
        try await alice.knows(parrotID)

        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Examples/Python/echo.py"
        )
        let home = folder.url.appending(path: "Parrot").path
        let client = try LineProcess(["python3", script.path, home, "--accept-everybody"])
        defer { client.stop() }
        #expect(await client.next() == "answering as Parrot")
        let text = "Wer da? 🦜 \"quoted\""
        let sent = try await alice.call("send", ["to": .string(parrotID), "text": .string(text)])
        let answer = try await alice.event("the answer") {
            $0["type"]?.string == "message" && $0["message"]?["outgoing"] == .bool(false)
        }
        #expect(answer["message"]?["text"]?.string == text)
        #expect(answer["message"]?["replyTo"]?["message"] == sent["message"])
        #expect(await client.next()?.hasPrefix("Alice wrote 'Wer da? 🦜") == true)
        await parrot.stop()
        #expect(await client.next() == nil)
        await alice.stop()
    }
}
