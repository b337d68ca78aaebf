import Foundation

/// A program that reports events line by line until it is stopped.
final class LineProcess: Sendable {
    /// The process id.
    let identifier: Int32
    private let lines: Lines
    private let exit: AsyncStream<Void>

    /// Starts the program.
    ///
    /// Without `input`, its standard input is empty.
    init(_ arguments: [String], environment: [String: String] = [:], input: URL? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // A named pipe with a writer that stays never ends.
        process.standardInput = try input.map { try FileHandle(forUpdating: $0) } ?? FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        identifier = process.processIdentifier
        self.exit = exit
        lines = Lines(output.fileHandleForReading)
    }

    /// The next line; nil once the program has ended.
    func next() async -> String? { await lines.next() }

    /// Asks the program to end.
    func terminate() { kill(identifier, SIGTERM) }

    /// Kills the program.
    func stop() { kill(identifier, SIGKILL) }

    /// A reader of lines on a thread of its own, because reading blocks.
    private actor Lines {
        private var iterator: AsyncStream<String>.Iterator

        init(_ handle: FileHandle) {
            iterator =
                AsyncStream<String> { continuation in
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
                .makeAsyncIterator()
        }

        func next() async -> String? {
            var iterator = iterator
            defer { self.iterator = iterator }
            return await iterator.next(isolation: self)
        }
    }
}
