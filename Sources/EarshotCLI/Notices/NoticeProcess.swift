import Foundation
import MeshTransport

/// One notice on the screen: a `notify-send` process that waits for an action of the user.
///
/// It owns the process.
actor NoticeProcess {
    /// The outcome of a notice.
    enum Outcome: Hashable, Sendable {
        /// The user closed it, or it was withdrawn.
        case closed
        /// The user chose this action.
        case chosen(String)
        /// It could not be shown, for the reason that the program reported.
        case failed(String)
    }

    /// The number of requests to withdraw the notice before the process is killed.
    private static let requestCount = 4
    /// The time between two requests.
    private static let requestPause = Duration.milliseconds(500)
    /// Units: bytes of the program's output that are read.
    private static let outputByteCount = 1_024

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private let exit: Task<Void, Never>

    /// Shows a notice.
    init(_ executable: URL, _ arguments: [String], environment: [String: String]) throws {
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        exit = Task { for await _ in stream {} }
        do {
            try process.runHeedingSignals()
        } catch {
            continuation.finish()
            throw error
        }
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
    }

    /// Waits until the process has ended.
    func outcome() async -> Outcome {
        await exit.value
        let words = Self.lines(of: output).first ?? ""
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            // A process that a signal ended reports no failure.
            return process.terminationReason == .uncaughtSignal ? .closed : .failed(Self.lines(of: errors).last ?? "")
        }
        return words.isEmpty ? .closed : .chosen(words)
    }

    /// Withdraws the notice and waits until the process has ended.
    func end() async {
        let requests = Task { await request() }
        await exit.value
        requests.cancel()
        await requests.value
    }

    /// Asks the process to withdraw its notice: it does so on an interrupt, once it is ready to handle one.
    private func request() async {
        for _ in 0..<Self.requestCount where process.isRunning {
            kill(process.processIdentifier, SIGINT)
            guard (try? await Task.sleep(for: Self.requestPause)) != nil else { return }
        }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static func lines(of pipe: Pipe) -> [String] {
        // The process has ended, so its output is complete.
        let data = (try? pipe.fileHandleForReading.read(upToCount: outputByteCount)) ?? Data()
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
}
