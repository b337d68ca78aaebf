import Foundation
import Testing

/// Checks of HTTPS endpoints; the library's own tests cover the notices that askers receive.
@Suite("Assistant and TLS", .serialized, .timeLimit(.minutes(30)))
struct AssistantSecurityTests {
    @Test(
        "A look at an endpoint of https tells a certificate that is not to be trusted and a port without TLS, once each"
    )
    func distrust() async throws {
        let folder = try TemporaryFolder()
        let secure = try LineProcess([TestPython.path, AssistantProcess.script, "0", folder.url.path])
        let open = try LineProcess([TestPython.path, AssistantProcess.script])
        defer { for server in [secure, open] { server.stop() } }
        let words = "The connection to the model server is not secure"
        for (server, detail) in [(secure, "certificate"), (open, "wrong version")] {
            let endpoint = "https://127.0.0.1:\(try #require(await server.next()))/v1"
            let result = try Self.check(endpoint, folder)
            #expect(result.status == 69 && result.output.contains(detail), "\(result)")
            #expect(result.output.components(separatedBy: words).count == 2, "\(result)")
        }
    }

    @Test("With a certificate that the system trusts, an endpoint of https is as good as any")
    func trust() async throws {
        guard try NamespaceLine.isAllowed() else { return }
        let folder = try TemporaryFolder()
        let server = try LineProcess([TestPython.path, AssistantProcess.script, "0", folder.url.path])
        defer { server.stop() }
        let endpoint = "https://127.0.0.1:\(try #require(await server.next()))/v1"
        let trusted = "/etc/ssl/certs/ca-certificates.crt"
        guard FileManager.default.fileExists(atPath: trusted) else {
            print("SKIPPED: the system has no \(trusted)")
            return
        }
        // Only for this process the system trusts that certificate and no other.
        let mount = #"mount --make-rprivate / && mount --bind "$0" "$1" && shift && exec "$@""#
        let certificate = folder.url.appending(path: "certificate.pem").path
        let result = try Self.check(
            endpoint,
            folder,
            under: ["unshare", "-m", "sh", "-c", mount, certificate, trusted]
        )
        #expect(result.status == 0 && result.output.hasPrefix("Models: echo, slow\nFirst token after "), "\(result)")
    }

    @Test("A key goes to no other machine in clear, and the keys of TLS go into no file")
    func clear() async throws {
        let folder = try TemporaryFolder()
        let key = folder.url.appending(path: "key")
        try Data("secret\n".utf8).write(to: key)
        let options = ["--api-key-file", key.path, "--check", "--answer-timeout", "1s"]
        let place = "http://192.0.2.1:9/v1"
        let refused = try Command.run(AssistantProcess.arguments(folder.url, place, model: "echo", options))
        #expect(refused.status == 65 && refused.errors.contains("--insecure"), "\(refused)")

        let server = try LineProcess([TestPython.path, AssistantProcess.script, "0", folder.url.path])
        defer { server.stop() }
        let endpoint = "https://127.0.0.1:\(try #require(await server.next()))/v1"
        let log = folder.url.appending(path: "keys.log")
        let told = try Self.check(endpoint, folder, under: ["env", "SSLKEYLOGFILE=\(log.path)"])
        #expect(told.status != 0 && !FileManager.default.fileExists(atPath: log.path), "\(told)")
    }

    private static func check(_ endpoint: String, _ home: TemporaryFolder, under wrapper: [String] = []) throws
        -> Command
    {
        let options = ["--check", "--answer-timeout", "60s"]
        return try Command.run(wrapper + AssistantProcess.arguments(home.url, endpoint, model: "echo", options))
    }
}
