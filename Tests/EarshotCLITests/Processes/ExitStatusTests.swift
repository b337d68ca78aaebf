import Foundation
import Testing

@testable import EarshotCLI

/// The exit statuses of commands, as the help of `earshot` states them: 64, 65, 69, 75 and 77 here; 1 in the tests of
/// the page's port, of the doctor and of simulations, 0 in all tests.
@Suite("Exit statuses", .timeLimit(.minutes(30)))
struct ExitStatusTests {
    private static let message = String(repeating: "0", count: 32)
    private static let number = String(repeating: "12345", count: 12)
    private static let place = "MISSING"

    /// A correct call of each command, which only the content of the home can fail; `MISSING` is the path of a file.
    private static let calls = [
        "node --no-multicast", "chat Nobody --no-multicast --interface lo", "web --port 0 --no-multicast",
        "send Nobody x --timeout 10ms --no-multicast --interface lo", "cancel \(message)", "listen --no-multicast",
        "peers",
        "ping Nobody --no-multicast --interface lo", "map", "profile", "fingerprint Nobody",
        "verify Nobody --number \(number)",
        "name Nobody Mum",
        "trust list", "trust accept Nobody", "trust block Nobody", "trust unblock Nobody", "trust rotate --yes",
        "trust revoke --yes", "react \(message) 👍", "edit \(message) x", "delete \(message)", "media \(message)",
        "poll create Nobody ? a b", "poll close \(message)", "vote \(message) 1", "timer Nobody 5m", "group list",
        "group create Trees Nobody", "group add Trees Nobody", "group remove Trees Nobody", "group rename Trees Oaks",
        "group history Trees all", "group admin Trees Nobody", "group successor Trees Nobody",
        "group takeover Trees", "group handover Trees Nobody", "group leave Trees",
        "group accept Trees",
        "group decline Trees", "group inviters nobody",
        "history receipts \(message)", "room create Trees", "room join 47-482913",
        "room approve Trees Nobody", "room list", "room code Trees", "room rename Trees Oaks",
        "room remove Trees Nobody", "room handover Trees Nobody", "room leave Trees", "room export \(place)",
        "room import \(place)", "history list", "history show Nobody", "history search oak --in Nobody",
        "history export \(place) --plain --yes --conversation Nobody", "history import \(place)",
        "history keep --conversation Nobody", "history delete Nobody --yes", "history check", "pin Nobody",
        "unpin Nobody", "mute Nobody", "unmute Nobody", "status", "passphrase set", "passphrase change",
        "passphrase remove", "identity link", "identity backup \(place)", "identity restore \(place) --no-passphrase",
        "lock", "unlock",
        "erase --conversation Nobody --yes", "init --name Eve --no-passphrase", "doctor --listen 1s", "simulate line",
        "demo", "hub add tls://localhost:9", "hub remove localhost", "hub list", "hub check tls://localhost:9",
        "hub create tls://localhost:9", "conformance --no-multicast",
        "doctor-witness --probe-id 1",
        "assistant --endpoint http://127.0.0.1:9/v1 --model x --no-multicast",
    ]

    /// Runs this many calls at a time; one if each call needs the home for itself.
    private static func run(
        _ calls: [String],
        home: String,
        atOnce width: Int = 1,
        _ check: @escaping @Sendable (String, EarshotProcess.Run) -> Void
    ) async throws {
        let variables = ["EARSHOT_NEW_PASSPHRASE": "new", "EARSHOT_BACKUP_PASSPHRASE": "backup"]
        let missing = home + ".missing"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, call) in calls.enumerated() {
                if index >= width { try await group.next() }
                group.addTask {
                    let words = call.replacing(place, with: missing).split(separator: " ").map(String.init)
                    let run = try await EarshotProcess.run(["--home", home] + words, environment: variables)
                    check(call, run)
                    #expect(run.status == 0 || run.errors.contains { !$0.isWhitespace }, "\(call) says nothing")
                }
            }
            try await group.waitForAll()
        }
    }

    private static func home(_ folder: TemporaryFolder, passphrase: String?) async throws -> String {
        let home = folder.path("home")
        let run = try await EarshotProcess.run(
            ["--home", home, "init", "--name", "Alice"] + (passphrase == nil ? ["--no-passphrase"] : []),
            environment: passphrase.map { ["EARSHOT_PASSPHRASE": $0] } ?? [:]
        )
        try #require(run.status == 0, "\(run.errors)")
        return home
    }

    @Test("A wrong option ends with 64, whatever the command, and nothing is done")
    func usage() async throws {
        let folder = try TemporaryFolder()
        let commands = try HelpTests.leaves()
        // Every new command needs a call in the list.
        for command in commands {
            #expect(Self.calls.contains { $0 == command || $0.hasPrefix(command + " ") }, "\(command)")
        }
        try await Self.run(commands.map { $0 + " --no-such-option" }, home: folder.path("home"), atOnce: 2) {
            call,
            run in
            #expect(run.status == 64 && run.output == "", "\(call): \(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("home")))
    }

    @Test("A home that does not open ends with 77, whatever is to be done with it")
    func sealed() async throws {
        let folder = try TemporaryFolder()
        let home = try await Self.home(folder, passphrase: "horse")
        // The commands that need no key of the home, or that first need a node or a file.
        let others = [
            "init", "doctor", "simulate", "demo", "hub", "conformance", "doctor-witness", "lock", "unlock", "map",
            "passphrase set",
            "identity restore", "room import", "room create", "room join", "room code",
        ]
        let calls = Self.calls.filter { call in !others.contains { call == $0 || call.hasPrefix($0 + " ") } }
        try await Self.run(calls, home: home, atOnce: 2) { call, run in
            #expect(run.status == 77 && run.output == "", "\(call): \(run)")
        }
    }

    @Test("What is not there, or there already, ends with 65")
    func unknown() async throws {
        let folder = try TemporaryFolder()
        let home = try await Self.home(folder, passphrase: nil)
        let calls = Self.calls.filter { $0.contains("Nobody") || $0.contains(Self.message) || $0.contains(Self.place) }
        // The commands that end differently because no contact of the name is heard, and those that write a file that
        // may be missing.
        let others = ["send Nobody", "identity backup", "room export"]
        let unknown = calls.filter { call in !others.contains { call.hasPrefix($0) } }
        let more = ["init --name Eve --no-passphrase", "passphrase change", "passphrase remove"]
        try await Self.run(unknown + more, home: home) { call, run in
            #expect(run.status == 65 && run.output == "", "\(call): \(run)")
        }
    }

    @Test("Where no node is to be talked to, commands end with 69, and with 75 where time has to pass")
    func alone() async throws {
        let folder = try TemporaryFolder()
        let home = try await Self.home(folder, passphrase: nil)
        let calls = ["send Nobody", "map", "lock", "unlock", "room create", "room join", "room code"]
        try await Self.run(Self.calls.filter { call in calls.contains { call.hasPrefix($0) } }, home: home) {
            call,
            run in
            #expect(run.status == 69 && run.output == "", "\(call): \(run)")
        }
        let rotation = ["--home", home, "trust", "rotate", "--yes"]
        for _ in 0..<4 { #expect(try await EarshotProcess.run(rotation).status == 0) }
        let fifth = try await EarshotProcess.run(rotation)
        #expect(fifth.status == 75 && fifth.errors.contains("8 days"), "\(fifth)")
    }
}
