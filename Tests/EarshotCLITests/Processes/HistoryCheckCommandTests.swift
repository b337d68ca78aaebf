import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

@Suite("Looking through what is kept", .timeLimit(.minutes(30)))
struct HistoryCheckCommandTests {
    @Test("What something else did to a home is told by every command, until it is accepted on purpose")
    func tampering() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        func run(_ arguments: String...) async throws -> EarshotProcess.Run {
            try await EarshotProcess.run(["--home", home] + arguments)
        }
        #expect(try await run("init", "--name", "Alice", "--no-passphrase").status == 0)
        let clean = try await run("history", "check")
        #expect(clean.status == 0 && clean.output.hasPrefix("Nothing was changed. All ") && clean.errors == "")
        try FileManager.default.removeItem(atPath: home + "/anchor")
        let list = try await run("history", "list")
        #expect(list.status == 0 && list.errors.contains("Run `earshot history check`"), "\(list)")
        let status = try await run("status", "--json")
        let reply = try RPCCoding.decode(StatusReply.self, from: Array(status.output.utf8))
        #expect(reply.tampering == 1 && status.errors.contains("history check"))
        let check = try await run("history", "check", "--json")
        #expect(check.status == 65 && check.output.contains(#""kind":"anchorMissing""#), "\(check)")
        let unsure = try await run("history", "check", "--accept")
        #expect(unsure.status == 64 && unsure.errors.contains("--yes") && unsure.output == "")
        let accepted = try await run("history", "check", "--accept", "--yes")
        #expect(
            accepted.status == 0 && accepted.output == "The present state of the history is accepted.\n",
            "\(accepted)"
        )
        let again = try await run("history", "check")
        #expect(again.status == 0 && again.errors == "")
    }
}
