import Foundation

/// This executable, run again as one end.
///
/// Owns the process. The process lives until its standard input ends, so none remains when this one dies.
actor BenchProcess {
    /// The line by which an end reports that its node runs.
    static let readyLine = "ready"

    private let process = Process()
    private let input = Pipe()
    private let lines: AsyncStream<String>
    private let share: ProcessorShare?

    /// Starts the process; its progress goes to this process's standard error.
    ///
    /// - Parameter percent: The share of one processor that it may use; nil for no limit.
    init(_ arguments: [String], in place: Place, processor percent: Int? = nil) throws {
        guard let executable = Bundle.main.executablePath else { throw BenchFailure("this executable has no path") }
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = place.prefix + [executable] + arguments
        process.standardInput = input
        process.standardOutput = output
        lines = Self.lines(of: output)
        try process.run()
        do {
            let identifier = process.processIdentifier
            share = try percent.map { try ProcessorShare(percent: $0, of: identifier) }
        } catch {
            process.terminate()
            throw error
        }
    }

    /// Waits until the end's node runs.
    func ready() async throws {
        var iterator = lines.makeAsyncIterator()
        guard await iterator.next() == Self.readyLine else { throw BenchFailure("an end could not start") }
    }

    /// Waits for the end's figures.
    ///
    /// - Parameter ends: Whether to end the process; an end that measures ends by itself.
    func figures<Figures: Decodable>(_ type: Figures.Type, ending ends: Bool) async throws -> Figures {
        if ends { try? input.fileHandleForWriting.close() }
        var text = ""
        for await line in lines { text += line + "\n" }
        process.waitUntilExit()
        share?.remove()
        guard process.terminationStatus == 0 else { throw BenchFailure("an end failed") }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// Terminates the process and waits for its exit.
    func terminate() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        share?.remove()
    }

    private static func lines(of output: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            // A blocking read needs a thread of its own.
            Thread.detachNewThread {
                var rest = Data()
                while true {
                    let chunk = output.fileHandleForReading.availableData
                    guard !chunk.isEmpty else { break }
                    rest.append(chunk)
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}
