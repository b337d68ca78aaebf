import Foundation
import Testing

@testable import GatewayCore

/// A real NATS server on the loopback interface, with a port of its own choice.
final class HubServer {
    /// The passwords that the configuration of `Examples/Hub` is filled in with.
    static let (club, admin) = ("club-secret", "admin-secret")

    /// The end of a server that did not get ready, with the end of its log.
    struct Ended: Error {
        let log: String
    }

    let folder: URL
    private let process = Process()

    /// Starts a server with a file of `Examples/Hub`, and perhaps another one behind it.
    ///
    /// - Parameters:
    ///   - example: The file.
    ///   - second: Another one that follows it.
    ///   - changes: Texts of the files to replace, besides the placeholders.
    ///   - environment: Variables of its process, besides those of this one.
    convenience init(
        example: String = "hub.conf",
        and second: String? = nil,
        _ changes: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws {
        let folder = try Self.makeFolder()
        try Self.makeCertificate(in: folder)
        let examples = Self.root.appending(path: "Examples/Hub")
        var text = try [example, second].compactMap { $0 }
            .map { try String(contentsOf: examples.appending(path: $0), encoding: .utf8) }.joined()
        let filling = [
            "HUB-NAME": "hub", "CITY-NAME": "city", "CLUB-PASSWORD": Self.club, "ADMIN-PASSWORD": Self.admin,
            "/run/credentials/earshot-hub.service": folder.path, "/var/lib/earshot-hub": folder.path + "/store",
            "0.0.0.0:4222": "127.0.0.1:-1", "0.0.0.0:7422": "127.0.0.1:-1",
        ]
        let all = changes.merging(filling, uniquingKeysWith: { change, _ in change })
        // A short text may be a part of a long one.
        for (old, new) in all.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) }) {
            try #require(text.contains(old) || filling[old] != nil, "the file has no \(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        // The server gives a handshake two seconds, and a test beside many others may wait longer for its turn.
        text = text.replacingOccurrences(of: "\ntls { cert_file", with: "\ntls { timeout: 60, cert_file")
        try self.init(configuration: text, in: folder, environment: environment)
    }

    /// Starts a server with a configuration.
    init(configuration: String, in folder: URL? = nil, environment: [String: String] = [:]) throws {
        self.folder = try folder ?? Self.makeFolder()
        let file = self.folder.appending(path: "server.conf")
        try Data(configuration.utf8).write(to: file)
        process.executableURL = try Self.executable()
        process.arguments = ["-c", file.path, "-l", self.folder.path + "/log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        try process.run()
    }

    deinit {
        end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The id of its process.
    var processID: Int32 { process.processIdentifier }

    /// Ends the server at once.
    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Starts another server in the place of this one, which has ended, with its store and its port.
    func restarted() async throws -> HubServer {
        let file = folder.appending(path: "server.conf")
        let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
        let line = log.split(separator: "\n").first { $0.contains("Listening for client connections on") }
        let port = try #require(line?.split(separator: ":").last)
        var text = try String(contentsOf: file, encoding: .utf8)
        if !text.contains("127.0.0.1:\(port)"), let place = text.range(of: "127.0.0.1:-1") {
            text.replaceSubrange(place, with: "127.0.0.1:\(port)")
        }
        try FileManager.default.removeItem(at: folder.appending(path: "log"))
        let server = try HubServer(configuration: text, in: folder)
        _ = try await server.port()
        return server
    }

    /// Returns the port for clients or for leaf nodes, once the server listens there.
    func port(for kind: String = "client") async throws -> Int {
        while process.isRunning {
            let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
            for line in log.split(separator: "\n") where line.contains("Listening for \(kind) connections on") {
                if let port = line.split(separator: ":").last.flatMap({ Int($0) }), log.contains("Server is ready") {
                    return port
                }
            }
            await Task.yield()
        }
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        throw Ended(log: String(log.suffix(1_000)))
    }

    /// Returns the address of the server.
    func url(_ scheme: String = "tls", login: String = "club:\(club)", host: String = "localhost") async throws
        -> HubURL
    {
        try HubURL("\(scheme)://\(login)@\(host):\(try await port())")
    }

    /// The file of the certificate, which is its own authority.
    var certificate: String { folder.appending(path: "fullchain.pem").path }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// Returns the server that `Scripts/bootstrap` fetched, or an installed one.
    private static func executable() throws -> URL {
        let places = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { URL(filePath: $0) }
        let files = ([root.appending(path: ".build/hub/usr/sbin")] + places).map { $0.appending(path: "nats-server") }
        return try #require(
            files.first { FileManager.default.isExecutableFile(atPath: $0.path) },
            "There is no nats-server; run Scripts/bootstrap."
        )
    }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hub-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    static func makeCertificate(in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder.path + "/key.pem", "-out",
            folder.path + "/fullchain.pem",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
