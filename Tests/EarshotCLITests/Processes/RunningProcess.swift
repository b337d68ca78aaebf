import EarshotRPC
import Foundation
import Testing

/// A separate process of `earshot node --stdio`, with a client on its standard streams.
final class RunningProcess: Sendable {
    let client: RPCClient
    let identifier: Int32
    private let exit: AsyncStream<Int32>
    private let input: Pipe
    private let output: Pipe

    /// Starts a node and waits until it answers.
    init(home: String, _ options: [String], errors: FileHandle = .nullDevice) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try EarshotProcess.executable())
        process.arguments = ["--home", home, "node", "--stdio", "--interface", EarshotProcess.loopback] + options
        process.environment = EarshotProcess.inherited
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        try process.run()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        self.exit = exit
        self.input = input
        self.output = output
        identifier = process.processIdentifier
        client = await RPCClient(
            try DescriptorConnection(
                input: output.fileHandleForReading.fileDescriptor,
                output: input.fileHandleForWriting.fileDescriptor,
                ownsDescriptors: false
            )
        )
        _ = try await client.call(StatusCall())
    }

    /// Waits for the process to end and returns its exit status.
    func end() async -> Int32? {
        for await status in exit { return status }
        return nil
    }

    /// Closes the process's standard input.
    func closeInput() throws {
        try input.fileHandleForWriting.close()
    }
}
