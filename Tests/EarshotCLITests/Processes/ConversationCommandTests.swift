import Earshot
import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

/// Two homes on the loopback interface.
///
/// This does not show a relay, which the demo's own test does.
@Suite("Commands between two people", .timeLimit(.minutes(30)))
struct ConversationCommandTests {
    /// Alice, who runs only commands, and Bob, who runs a node.
    struct Pair {
        let folder: TemporaryFolder
        let bob: RunningProcess
        let mesh: [String]
        var aliceHome: String { folder.path("alice") }
        var bobHome: String { folder.path("bob") }

        init() async throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            for name in ["Alice", "Bob"] {
                let home = folder.path(name.lowercased())
                let run = try await EarshotProcess.run(["--home", home, "init", "--name", name, "--no-passphrase"])
                try #require(run.status == 0, "\(run.errors)")
            }
            let group =
                "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...30_000))"
            bob = try await RunningProcess(home: folder.path("bob"), ["--discovery", group])
            mesh = ["--interface", EarshotProcess.loopback, "--discovery", group]
        }

        func alice(_ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", aliceHome, "--json", "--quiet"] + arguments)
        }

        func aliceSends(_ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", aliceHome, "--json", "--quiet", "send"] + mesh + arguments)
        }

        func bob(_ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", bobHome, "--json", "--quiet"] + arguments)
        }

        func close() async throws {
            try bob.closeInput()
            #expect(await bob.end() == 0)
            await bob.client.close()
        }
    }

    @Test("A stranger's text waits for being accepted, then both talk, compare and verify")
    func talk() async throws {
        let pair = try await Pair()
        let first = try await pair.aliceSends("Bob", "first\n\u{1B}[2J", "--timeout", "60s")
        #expect(first.status == 0 && first.output.contains(#""status":"carried""#), "\(first)")
        let strange = try await pair.aliceSends("Bob", "second", "--wait", "delivered", "--timeout", "1s")
        #expect(strange.status == 75 && strange.errors.contains("outbox"), "\(strange)")
        let accepted = try await pair.bob("trust", "accept", "Alice")
        #expect(accepted.status == 0, "\(accepted.errors)")
        let third = try await pair.aliceSends("Bob", "third", "--wait", "delivered", "--timeout", "60s")
        #expect(third.status == 0 && third.output.contains(#""status":"delivered""#), "\(third)")

        let ping = try await EarshotProcess.run(
            ["--home", pair.aliceHome, "--json", "ping", "Bob", "--count", "1"] + pair.mesh
        )
        #expect(ping.status == 0 && ping.output.contains(#""answers":[{"hops":1,"#), "\(ping)")

        let history = try await pair.bob("history", "show", "Alice")
        let texts = try history.output.split(separator: "\n").map {
            try RPCCoding.decode(MessageReply.self, from: Array($0.utf8)).text
        }
        #expect(texts == ["first\n\u{1B}[2J", "second", "third"])
        let shown = try await EarshotProcess.run(["--home", pair.bobHome, "history", "show", "Alice"])
        #expect(shown.status == 0 && shown.output.contains(#"\u{1b}[2J"#) && !shown.output.contains("\u{1B}"))

        let fingerprint = try await pair.alice("fingerprint", "Bob")
        let number = try #require(
            try RPCCoding.decode(IdentityOutput.self, from: Array(fingerprint.output.utf8)).number
        )
        let grouped = SafetyNumberText.grouped(number)
        let wrong = try await pair.bob("verify", "Alice", "--number", String(grouped.reversed()))
        #expect(wrong.status == 65 && wrong.output == "", "\(wrong)")
        let right = try await pair.bob("verify", "Alice", "--number", grouped)
        #expect(right.status == 0 && right.output == #"{"trust":"verified"}"# + "\n", "\(right)")
        try await pair.close()
    }

    @Test("A text comes from standard input or a file, with all its lines and without an argument")
    func input() async throws {
        let pair = try await Pair()
        let words = ["--home", pair.aliceHome, "send"] + pair.mesh
        let typed = ["sh", "-c", #"printf 'x\ny' | "$0" "$@""#]
        for arguments in [["Bob", "-", "--timeout", "60s"], ["Bob", "--timeout", "60s"]] {
            let run = try await EarshotProcess.run(words + arguments, under: typed)
            #expect(run.status == 0, "\(run)")
        }
        let file = pair.folder.path("text")
        try Data("from\na file\n".utf8).write(to: URL(fileURLWithPath: file))
        let read = try await pair.aliceSends("Bob", "--text-file", file, "--timeout", "60s")
        #expect(read.status == 0, "\(read)")
        #expect(try await pair.aliceSends("Bob").status == 64)
        try Data(repeating: 0x61, count: 1_048_577).write(to: URL(fileURLWithPath: file))
        #expect(try await pair.aliceSends("Bob", "--text-file", file).status == 65)
        let history = try await pair.bob("history", "show", "Alice")
        let messages = try history.output.split(separator: "\n").map {
            try RPCCoding.decode(MessageReply.self, from: Array($0.utf8))
        }
        #expect(messages.map(\.text) == ["x\ny", "x\ny", "from\na file"])
        let found = try await EarshotProcess.run(
            ["--home", pair.bobHome, "history", "search", "-"],
            under: ["sh", "-c", #"echo file | "$0" "$@""#]
        )
        #expect(found.output.contains("from a file"), "\(found)")
        try await pair.close()
    }

    @Test("A sender who is not accepted yet is told so while their node runs, and no missing node is blamed")
    func notAccepted() async throws {
        let pair = try await Pair()
        let first = try await pair.aliceSends("Bob", "first", "--timeout", "60s")
        #expect(first.status == 0, "\(first)")
        let alice = try await RunningProcess(home: pair.aliceHome, Array(pair.mesh.suffix(2)))
        let strange = try await pair.alice("send", "Bob", "second", "--wait", "delivered", "--timeout", "10s")
        #expect(strange.status == 75 && !strange.errors.contains("a node runs"), "\(strange)")
        #expect(strange.errors.contains("Ask Bob to accept you, for example by `earshot trust accept Alice`"))
        let accepted = try await pair.bob("trust", "accept", "Alice")
        #expect(accepted.status == 0, "\(accepted.errors)")
        let third = try await pair.alice("send", "Bob", "third", "--wait", "delivered", "--timeout", "60s")
        #expect(third.status == 0, "\(third)")
        try alice.closeInput()
        #expect(await alice.end() == 0)
        await alice.client.close()
        try await pair.close()
    }

    @Test("Nothing is sent to whom the user has blocked")
    func blocked() async throws {
        let pair = try await Pair()
        let first = try await pair.aliceSends("Bob", "first", "--timeout", "60s")
        #expect(first.status == 0, "\(first)")
        #expect(try await pair.alice("trust", "block", "Bob").status == 0)
        let refused = try await pair.aliceSends("Bob", "second")
        #expect(refused.status == 77 && refused.output == "", "\(refused)")
        try await pair.close()
    }

    @Test("Whom one has not talked to cannot be pinged, and without a node there is no map")
    func unknownPeers() async throws {
        let pair = try await Pair()
        let first = try await pair.aliceSends("Bob", "first", "--timeout", "60s")
        #expect(first.status == 0, "\(first)")
        let ping = try await pair.bob("ping", "Alice")
        #expect(ping.status == 69 && ping.output == "" && ping.errors.contains("Send a message"), "\(ping)")
        let map = try await pair.alice("map")
        #expect(map.status == 69 && map.output == "" && map.errors.contains("earshot node"), "\(map)")
        try await pair.close()
    }

    @Test("Whom nobody has heard of ends with 69")
    func nobody() async throws {
        let pair = try await Pair()
        let run = try await pair.aliceSends("Carol", "x", "--timeout", "1s")
        #expect(run.status == 69 && run.output == "", "\(run)")
        try await pair.close()
    }

    @Test("Listening prints each message that comes as one line of JSON")
    func listen() async throws {
        let pair = try await Pair()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try EarshotProcess.executable())
        process.arguments = ["--home", pair.aliceHome, "--json", "--quiet", "listen"] + pair.mesh
        process.environment = EarshotProcess.inherited
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        try output.fileHandleForWriting.close()
        let events = try await pair.bob.client.events(["contact"])
        if try await !pair.bob.client.call(ContactsCall()).contains(where: { $0.name == "Alice" }) {
            _ = await events.first { event in
                if case .contact(let contact) = event { contact.name == "Alice" } else { false }
            }
        }
        _ = try await pair.bob.client.call(SendCall(to: "Alice", text: "heard?"))
        let connection = try DescriptorConnection(
            input: output.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForReading.fileDescriptor,
            ownsDescriptors: false
        )
        var framer = LineFramer()
        var lines: [[UInt8]] = []
        for try await chunk in connection.chunks {
            lines += try framer.lines(adding: chunk)
            if !lines.isEmpty { break }
        }
        #expect(try lines.map { try RPCCoding.decode(MessageReply.self, from: $0).text } == ["heard?"])
        kill(process.processIdentifier, SIGINT)
        for await _ in exit {}
        #expect(process.terminationStatus == 0)
        try await pair.close()
    }
}
