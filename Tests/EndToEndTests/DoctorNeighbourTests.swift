import Foundation
import Testing

@Suite("Doctor: neighbours", .timeLimit(.minutes(30)))
struct DoctorNeighbourTests {
    private func home(_ name: String, _ folder: TemporaryFolder) throws -> URL {
        let home = folder.url.appending(path: name)
        try Command.run([Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase"])
        return home
    }

    @Test("A node of another machine is heard, and knows nothing of being listened to")
    func heard() async throws {
        guard let pair = try SegmentPair() else { return }
        let folder = try TemporaryFolder()
        let node = try NodeProcess("far", home: try home("far", folder), in: pair.namespace("far"), [])
        _ = try await node.ready()
        let run = try DoctorRun(in: pair.namespace("near"), home: folder.url, ["--listen", "4s"])
        #expect(run.all("neighbours") == ["ok neighbours neighbours"])
        #expect(run.status == 0)
        #expect(try await node.call("status")["neighbours"]?.int == 0)
        await node.stop()
    }

    @Test("Two doctors that look at the same time hear each other")
    func otherDoctor() throws {
        guard let pair = try SegmentPair() else { return }
        let folder = try TemporaryFolder()
        let far = try start(["--listen", "8s"], in: pair.namespace("far"), folder)
        let run = try DoctorRun(in: pair.namespace("near"), home: folder.url, ["--listen", "4s"])
        far.waitUntilExit()
        #expect(
            run.all("neighbours") == [
                "hint neighbours neighbours", "ok otherDoctor eth0 IPv4", "ok otherDoctor eth0 IPv6",
            ]
        )
    }

    @Test("A doctor whose answers are dropped on the way is told")
    func silentDoctor() throws {
        guard let pair = try SegmentPair() else { return }
        try pair.filter(
            "far",
            "output",
            "oifname eth0 ip daddr 10.99.9.1 drop",
            "oifname eth0 ip6 daddr fe80::/10 drop"
        )
        let folder = try TemporaryFolder()
        let far = try start(["--listen", "8s"], in: pair.namespace("far"), folder)
        let run = try DoctorRun(in: pair.namespace("near"), home: folder.url, ["--listen", "4s"])
        far.waitUntilExit()
        #expect(
            run.all("neighbours") == [
                "hint neighbours neighbours", "hint otherDoctor eth0 IPv4", "hint otherDoctor eth0 IPv6",
            ]
        )
    }

    @Test("A running node that sees neighbours and gets no link is isolated")
    func isolation() async throws {
        guard let pair = try SegmentPair() else { return }
        for host in SegmentPair.hosts { try pair.closeLinkPorts(host) }
        let folder = try TemporaryFolder()
        let far = try NodeProcess("far", home: try home("far", folder), in: pair.namespace("far"), [])
        let near = try NodeProcess("near", home: try home("near", folder), in: pair.namespace("near"), [])
        _ = try await far.ready()
        _ = try await near.ready()
        let run = try DoctorRun(in: pair.namespace("near"), home: near.home, ["--listen", "4s"])
        #expect(run.all("neighbours") == ["ok neighbours neighbours", "problem isolation running node"])
        #expect(run.status == 69)
        await near.stop()
        await far.stop()
    }

    private func start(_ options: [String], in namespace: String, _ folder: TemporaryFolder) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["ip", "netns", "exec", namespace, Command.earshot, "--home", folder.url.path, "doctor"] + options
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
