import Foundation
import Testing

/// The page in a real Chromium: two nodes on the loopback interface, driven by the scenarios of `Page/`.
///
/// One scenario runs at a time, since each has two nodes and a browser.
@Suite("Page", .serialized)
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Page")

    private static let scenarios = [
        "first_start", "talking", "media", "rooms", "privacy", "coming_back", "hostile", "keeping", "scrolling",
        "assistant", "impostor", "claimant", "hubs", "finding", "crowd",
    ]

    @Test("What two people do on their pages works, and no page complains", arguments: scenarios)
    func plays(_ scenario: String) throws {
        let folder = try TemporaryFolder()
        let script = Self.folder.appending(path: "\(scenario).py").path
        let run = try Command.run(
            ["timeout", "-k", "10", "400", TestPython.path, script, Command.earshot, folder.url.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        let isDone = run.status == 0 && run.output.hasSuffix("done\n")
        #expect(isDone, "\(scenario): \(run.output)\(run.errors.suffix(6_000))")
    }

    @Test("Every scenario beside the page's stage is played")
    func playsAll() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let scripts = files.filter { $0.hasSuffix(".py") }.map { $0.dropLast(3) }
        #expect(Set(scripts) == Set(Self.scenarios.map { $0[...] } + ["stage"]))
    }
}
