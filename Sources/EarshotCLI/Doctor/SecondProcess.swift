import EarshotRPC
import Foundation
import MeshDoctor

/// Another process of this executable, which receives and answers the probes of the first process.
///
/// It owns the process, which ends when its standard input ends, and so also when this process is killed.
actor SecondProcess {
    /// The longest time for its start and for its report.
    private static let limit = Duration.seconds(10)

    /// The number that identifies it in probes.
    nonisolated let id: UInt64
    private let process: Process
    private let pipes: [Pipe]
    private let connection: DescriptorConnection
    private let exit: AsyncStream<Void>

    /// Starts it and waits until its sockets are open; nil if that takes too long.
    static func start(_ arguments: DoctorArguments) async -> SecondProcess? {
        guard let second = try? SecondProcess(arguments) else { return nil }
        guard await second.nextLine() != nil else {
            _ = await second.end()
            return nil
        }
        return second
    }

    private init(_ arguments: DoctorArguments) throws {
        id = ProbePlan.randomID()
        process = Process()
        pipes = [Pipe(), Pipe()]
        process.executableURL = try DemoStage.executable()
        process.arguments = ["doctor-witness", "--probe-id", String(id)] + arguments.asArguments
        process.environment = DemoStage.environment
        process.standardInput = pipes[0]
        process.standardOutput = pipes[1]
        process.standardError = FileHandle.nullDevice
        let (exit, continuation) = AsyncStream<Void>.makeStream()
        self.exit = exit
        process.terminationHandler = { _ in continuation.finish() }
        connection = try DescriptorConnection(
            input: pipes[1].fileHandleForReading.fileDescriptor,
            output: pipes[0].fileHandleForWriting.fileDescriptor,
            ownsDescriptors: false
        )
        try process.run()
        // The child has its own copies; while these are open, neither side sees the end of the other.
        try pipes[0].fileHandleForReading.close()
        try pipes[1].fileHandleForWriting.close()
    }

    /// Ends it and returns its report; nil if it does not report in time.
    func end() async -> WitnessReport? {
        try? pipes[0].fileHandleForWriting.close()
        let report = await nextLine().flatMap { try? RPCCoding.decode(WitnessReport.self, from: $0) }
        if report == nil { kill(process.processIdentifier, SIGKILL) }
        for await _ in exit {}
        return report
    }

    private func nextLine() async -> [UInt8]? {
        let connection = connection
        let line = try? await within(Self.limit) { () -> [UInt8]? in
            var framer = LineFramer()
            for try await chunk in connection.chunks {
                if let line = try framer.lines(adding: chunk).first { return line }
            }
            return nil
        }
        return line.flatMap { $0 }
    }
}
