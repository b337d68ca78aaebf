import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Profile, mute and notices by the command", .timeLimit(.minutes(30)))
struct ProfileCommandTests {
    private static func home(_ folder: TemporaryFolder) async throws -> String {
        let home = folder.path("home")
        let made = try await EarshotProcess.run(["--home", home, "init", "--name", "Alice", "--no-passphrase"])
        try #require(made.status == 0, "\(made.errors)")
        return home
    }

    @Test("A profile is changed in parts, shown, kept, and refused where it is none")
    func profile() async throws {
        let folder = try TemporaryFolder()
        let home = try await Self.home(folder)
        func profile(_ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", home, "--json", "profile"] + arguments)
        }
        #expect(try await profile().output == #"{"name":"Alice"}"# + "\n")
        #expect(try await profile("--emoji", "🦊", "--colour", "teal").status == 0)
        #expect(try await profile("--name", "Alicja").status == 0)
        #expect(try await profile().output == #"{"colour":"teal","emoji":"🦊","name":"Alicja"}"# + "\n")
        for arguments in [["--emoji", "fox"], ["--colour", "#00ff00"], ["--name", "a\u{202E}"]] {
            let run = try await EarshotProcess.run(["--home", home, "profile"] + arguments)
            #expect(run.status == 65 && run.output.isEmpty && !run.errors.isEmpty, "\(run)")
        }
        #expect(try await profile("--emoji", "").output == #"{"colour":"teal","name":"Alicja"}"# + "\n")
        let shown = try await EarshotProcess.run(["--home", home, "profile"])
        #expect(shown.output == "Name    Alicja\nEmoji   -\nColour  teal\n")
    }

    @Test("Who is not known cannot be muted, and a span that is none is a wrong use")
    func muting() async throws {
        let folder = try TemporaryFolder()
        let home = try await Self.home(folder)
        for (arguments, status) in [
            (["mute", "Bob"], 65), (["unmute", "Bob"], 65), (["mute", "Bob", "--for", "x"], 64),
        ] {
            let run = try await EarshotProcess.run(["--home", home] + arguments)
            #expect(run.status == Int32(status), "\(run)")
        }
    }

    @Test(
        "Options of notices that make no sense are a wrong use",
        arguments: [
            ["--notify", "loud"], ["--notify-about", "direct"], ["--notify-reply", "x"],
            ["--notify", "text", "--notify-about", "spam"], ["--notify", "text", "--relay-only"],
            ["--notify", "text", "--notify-reply", ""],
            ["--notify", "text"] + [String](repeating: "--notify-reply=x", count: 4),
        ]
    )
    func notices(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let run = try await EarshotProcess.run(["--home", folder.path("home"), "node", "--no-multicast"] + options)
        #expect(run.status == 64, "\(run)")
    }
}
