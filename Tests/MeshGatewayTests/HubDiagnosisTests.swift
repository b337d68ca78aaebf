import ArgumentParser
import Foundation
import MeshDoctor
import Testing

@testable import EarshotCLI
@testable import GatewayCore

/// Tests of the doctor's findings about hubs, with a real server.
@Suite("The doctor examines hubs", .timeLimit(.minutes(5)))
struct HubDiagnosisTests {
    private static func home() throws -> (HomeDirectory, URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-doctor-\(UUID().uuidString)")
        return (HomeDirectory(try GlobalOptions.parse(["--home", folder.path])), folder)
    }

    @Test("All hubs of the data directory are examined, and the findings stand in their order")
    func hubs() async throws {
        let server = try HubServer()
        _ = try await HubOperator(server).create()
        let (home, folder) = try Self.home()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await HubDiagnosis.findings(of: home, authorities: nil).isEmpty)
        var list = try HubList(in: home)
        // Nothing listens on this port.
        _ = try list.add(try HubURL("tls://localhost:1"))
        _ = try list.add(try await server.url())
        let findings = await HubDiagnosis.findings(of: home, authorities: server.certificate)
        #expect(findings.map(\.severity) == [.problem, .ok])
        #expect(findings.map(\.cause.name) == ["hubUnreachable", "hub"])
        #expect(DoctorReport(findings).status.rawValue == 69)
        let unknown = await HubDiagnosis.findings(of: home, authorities: nil)
        #expect(unknown.map(\.cause.name) == ["hubUnreachable", "hubCertificate"])
    }

    @Test("A list that cannot be read is a problem")
    func unreadable() async throws {
        let (home, folder) = try Self.home()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("no address at all\n".utf8).write(to: folder.appending(path: "hubs"))
        #expect(await HubDiagnosis.findings(of: home, authorities: nil).map(\.cause.name) == ["hubList"])
    }
}
