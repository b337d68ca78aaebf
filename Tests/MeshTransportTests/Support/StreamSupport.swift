import Foundation
import MeshCore
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransport

extension MeshNode.Configuration {
    /// Makes a configuration with these carriers, whose node finds nobody by UDP.
    static func streams(_ carriers: [Carrier]) -> Self {
        var configuration = Self(mesh: .simulated, interfaces: [loopbackName], useMulticast: false)
        configuration.carriers = carriers
        return configuration
    }
}

extension Carrier {
    /// TCP connections from this machine, to any port.
    static let anyPort = Carrier.listen(host: localHost, port: 0)

    /// A connection to a node that listens.
    static func to(_ node: TestNode) async throws -> Carrier {
        let port = try #require(await node.node.listeningPorts().first.flatMap(UInt16.init(exactly:)))
        return .tcp(try #require(HostPort(host: localHost, port: port)))
    }

    /// A command that reads from one file of the system, such as a terminal or a named pipe, and writes to another.
    static func files(read: String, write: String) -> Carrier {
        .command("cat <'\(read)' & exec cat >'\(write)'")
    }
}

/// A connection to a node that listens, by which a test sends bytes of its choice.
func connection(to node: TestNode, from host: String = Carrier.localHost) async throws -> any Channel {
    let port = try #require(await node.node.listeningPorts().first)
    return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(to: SocketAddress(ipAddress: host, port: 0))
        .connect(host: Carrier.localHost, port: port).get()
}

/// A folder for named pipes and notes of commands, removed at deinit.
final class PipeFolder: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "earshot-pipes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Makes a named pipe and returns its path.
    func pipe(_ name: String) throws -> String {
        guard mkfifo(path(name), 0o600) == 0 else { throw IOError(errnoCode: errno, reason: "mkfifo") }
        return path(name)
    }
}

extension Thread {
    /// Reads a named pipe to its end, on a thread of its own.
    static func reading(_ path: String) -> Task<Data?, Never> {
        Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let handle = FileHandle(forReadingAtPath: path)
                    continuation.resume(returning: try? handle?.readToEnd() ?? Data())
                }
            }
        }
    }
}

/// A serial line between two pseudo-terminals, which ends at deinit.
final class SerialLine {
    private let process = Process()
    private let input = Pipe()
    /// The paths of the terminals at the two ends.
    let ends: [String]

    /// Makes a line that carries so many bytes a second each way.
    init(bytesPerSecond: Int) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Serial/line.py").standardized
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, String(bytesPerSecond)]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The paths may come in parts.
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            line += part
        }
        ends = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// The carriers of the nodes at the two ends.
    var carriers: [Carrier] { ends.map { .files(read: $0, write: $0) } }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
