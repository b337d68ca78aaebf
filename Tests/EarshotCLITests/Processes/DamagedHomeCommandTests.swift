import ChatCrypto
import Foundation
import Testing

/// The command on homes that cannot be used, from the viewpoint of scripts.
@Suite("Commands on a damaged home", .timeLimit(.minutes(30)))
struct DamagedHomeCommandTests {
    private let folder: TemporaryFolder
    private var home: String { folder.path("home") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., home other: String? = nil) async throws -> EarshotProcess.Run {
        try await EarshotProcess.run(["--home", other ?? home] + arguments)
    }

    private func change(_ name: String, _ body: (inout Data) -> Void) throws {
        let url = URL(filePath: home + "/" + name)
        var data = try Data(contentsOf: url)
        body(&data)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    /// Makes a file by which a home learns a contact that it has not met on a mesh.
    private func contact(_ name: String) throws -> String {
        let identity = Identity().publicIdentity
        let keys = [identity.signingKey, identity.agreementKey].map { Data($0).base64EncodedString() }
        let lines = """
            {"type":"earshot","version":1,"exportedAt":"","id":"\(Identity().publicIdentity.id)","name":""}
            {"type":"contact","id":"\(identity.id)","name":"\(name)","trust":"tofu","fingerprint":"","signingKey":\
            "\(keys[0])","agreementKey":"\(keys[1])"}
            """
        try Data(lines.utf8).write(to: URL(filePath: folder.path("contact")))
        return folder.path("contact")
    }

    @Test("A home that is damaged ends every command with 65 and what to do, and keeps its bytes")
    func statuses() async throws {
        #expect(try await run("init", "--name", "Alice", "--no-passphrase").status == 0)
        let whole = try Data(contentsOf: URL(filePath: home + "/history.sqlite"))
        // SQLite keeps the application's version at offset 60 and its number at offset 68.
        let damages: [(String, (inout Data) -> Void)] = [
            ("newer version", { $0[63] = 99 }), ("another program", { $0[68] = 0 }), ("no database", { $0[0] = 0 }),
            ("--rescue", { $0.replaceSubrange(4_096..<$0.count, with: Data(repeating: 9, count: $0.count - 4_096)) }),
            ("missing or empty", { $0 = Data() }),
        ]
        for (words, damage) in damages {
            try change("history.sqlite", damage)
            let bytes = try Data(contentsOf: URL(filePath: home + "/history.sqlite"))
            for arguments in [
                ["history", "list"], ["status"], ["send", "Bob", "Hello"],
                ["init", "--name", "Bob", "--no-passphrase"],
            ] {
                let run = try await EarshotProcess.run(["--home", home] + arguments)
                #expect(run.status == 65 && run.output == "", "\(words) \(arguments): \(run)")
                #expect(run.errors.hasPrefix("earshot: ") && run.errors.hasSuffix(".\n"), "\(run.errors)")
            }
            #expect(try Data(contentsOf: URL(filePath: home + "/history.sqlite")) == bytes, "\(words)")
            try change("history.sqlite") { $0 = whole }
        }
        try FileManager.default.removeItem(atPath: home + "/history.sqlite")
        try FileManager.default.createDirectory(atPath: home + "/history.sqlite", withIntermediateDirectories: false)
        #expect(try await run("history", "list").status == 77)
    }

    @Test("A rescue tells what was saved and what was not, and a new home takes it")
    func rescue() async throws {
        #expect(try await run("init", "--name", "Alice", "--no-passphrase").status == 0)
        let contact = try contact("Bob")
        #expect(try await run("history", "import", contact).status == 0)
        for number in 1...3 {
            let asked = try await run("poll", "create", "Bob", "leaf \(number)?", "yes", "no")
            #expect(asked.status == 0, "\(asked)")
        }
        let file = folder.path("saved")
        let usage = try await run("history", "export", file, "--rescue", "--conversation", "Bob")
        #expect(usage.status == 64)
        let unsure = try await run("history", "export", file, "--rescue", "--plain")
        #expect(unsure.status == 64 && unsure.errors.contains("--yes"))
        try change("history.sqlite") { $0.replaceSubrange(0..<4_096, with: Data(count: 4_096)) }
        #expect(try await run("history", "list").status == 65)
        let saved = try await run("history", "export", file, "--rescue", "--plain", "--yes")
        #expect(saved.status == 0 && saved.errors == "", "\(saved)")
        #expect(
            saved.output.contains("1 conversations") && saved.output.contains("records of the data directory open"),
            "\(saved)"
        )
        let json = try await run("--json", "history", "export", file + "2", "--rescue", "--plain", "--yes")
        #expect(json.status == 0 && json.output.contains(#""tables":[{"#), "\(json)")
        let new = folder.path("new")
        #expect(try await run("init", "--name", "Alice", "--no-passphrase", home: new).status == 0)
        #expect(try await run("history", "import", file, home: new).status == 0)
        let shown = try await run("history", "show", "Bob", home: new)
        for number in 1...3 { #expect(shown.output.contains("leaf \(number)?"), "\(shown)") }
    }

    @Test("A file that is too long to be a backup of an identity is refused without reading it all")
    func endlessBackup() async throws {
        let run = try await EarshotProcess.run(
            ["--home", home, "identity", "restore", "/dev/zero", "--no-passphrase"],
            environment: ["EARSHOT_BACKUP_PASSPHRASE": "horse"]
        )
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("backup"))
        #expect(!FileManager.default.fileExists(atPath: home))
    }
}
