import Foundation
import Synchronization
import Testing

/// A model server: a separate process, which ends with this value.
final class ModelServer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A request that arrived, or the end of a connection that was cut.
    struct Entry: Decodable, Sendable {
        struct Body: Decodable, Sendable {
            struct Message: Decodable, Sendable {
                let role: String
                let content: String
            }

            let model: String?
            let messages: [Message]?
        }

        let path: String?
        let headers: [String: String]?
        let body: Body?
        let cut: String?
    }

    let port: UInt16
    /// The folder of its certificate, if it speaks TLS.
    private let folder: URL?
    private let process: Process
    private let log: AsyncStream<String>
    private let entries = Mutex<[Entry]>([])

    /// Starts a script that reports its port first.
    ///
    /// - Parameters:
    ///   - port: Nil for any.
    ///   - isSecure: Whether it speaks TLS, with a self-signed certificate.
    init(_ script: String = "model_server.py", port: UInt16? = nil, isSecure: Bool = false) async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        let process = Process()
        // A Python that is called by its own name finds the modules beside it.
        process.executableURL = URL(filePath: "/usr/bin/env")
        let package = root.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let python = package.appending(path: ".build/python/bin/python3").path
        let folder =
            isSecure ? FileManager.default.temporaryDirectory.appending(path: "earshot-tls-\(UUID().uuidString)") : nil
        if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        process.arguments =
            [python, root.appending(path: script).path] + (port.map { [String($0)] } ?? (isSecure ? ["0"] : []))
            + (folder.map { [$0.path] } ?? [])
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let lines = Self.lines(of: output.fileHandleForReading)
        var iterator = lines.makeAsyncIterator()
        guard let number = await iterator.next().flatMap({ UInt16($0) }) else {
            kill(process.processIdentifier, SIGKILL)
            throw Failure(description: "\(script) did not start; Scripts/bootstrap makes its Python")
        }
        self.process = process
        self.port = number
        self.folder = folder
        log = lines
    }

    deinit {
        end()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    var address: String { "\(folder == nil ? "http" : "https")://127.0.0.1:\(port)/v1" }

    /// Ends the server.
    func stop() {
        end()
        process.waitUntilExit()
    }

    /// Kills the process: a child may have inherited a signal mask that blocks gentler signals.
    private func end() { kill(process.processIdentifier, SIGKILL) }

    /// Waits for this many requests and returns the first ones.
    func requests(_ count: Int) async throws -> [Entry] {
        var known = 0
        return try await entries { entry in
            known += entry.path == nil ? 0 : 1
            return known == count
        }
        .filter { $0.path != nil }
    }

    /// Waits for a request that fits and returns all requests so far.
    @discardableResult
    func entries(until fits: (Entry) -> Bool) async throws -> [Entry] {
        if let known = entries.withLock({ $0.contains(where: fits) ? $0 : nil }) { return known }
        for await line in log {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(line.utf8))
            entries.withLock { $0.append(entry) }
            if fits(entry) { return entries.withLock(\.self) }
        }
        throw Failure(description: "the server ended before it came")
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            // A blocking read needs a thread of its own.
            Thread.detachNewThread {
                var buffer = Data()
                while case let chunk = handle.availableData, !chunk.isEmpty {
                    buffer.append(chunk)
                    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self))
                        buffer = Data(buffer[buffer.index(after: end)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}
