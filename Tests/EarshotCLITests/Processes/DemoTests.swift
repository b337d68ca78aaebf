import Foundation
import Testing

@testable import EarshotCLI

@Suite("Demo", .timeLimit(.minutes(30)))
struct DemoTests {
    @Test("Every step happens, and nothing stays behind")
    func demo() async throws {
        let folder = try TemporaryFolder()
        let run = try await EarshotProcess.run(["demo"], environment: ["TMPDIR": folder.url.path])
        let steps = run.output.split(separator: "\n").filter { $0.contains("✓") }.count
        #expect(run.status == 0 && steps == 15 && !run.output.contains("✗"), "\(run.output)\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("A file search finds every text in every file, whatever stands around it")
    func search() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("b"),
            withIntermediateDirectories: true
        )
        try (Data([0, 255]) + Data("Zażółć".utf8) + Data([0])).write(to: folder.url.appendingPathComponent("a"))
        try Data("xZażółćx other".utf8).write(to: folder.url.appendingPathComponent("b/c"))
        let search = try FileSearch(["Zażółć", "other", "absent"], below: folder.url)
        #expect(search.fileCount == 2 && search.byteCount == 31)
        #expect(search.found.map { "\($0.text) \($0.file)" } == ["Zażółć a", "Zażółć b/c", "other b/c"])
    }
}
