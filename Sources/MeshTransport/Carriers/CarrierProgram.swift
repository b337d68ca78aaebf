import Foundation
import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The command of a carrier: a process whose standard input and output are a stream.
///
/// Its errors go where the node's go. The processes that it starts end with it.
final class CarrierProgram {
    private let process = Process()
    /// The end of the process.
    let exit: EventLoopFuture<Void>
    private let eventLoop: any EventLoop
    private var ending: EventLoopFuture<Void>?

    /// Starts a command in the network namespace of the calling thread.
    ///
    /// - Returns: The program, and the descriptors of the node's ends: one to read, one to write.
    static func start(
        _ command: String,
        on eventLoop: any EventLoop
    ) throws -> (program: CarrierProgram, input: CInt, output: CInt) {
        let toCommand = try Self.makePipe(isSmall: true)
        do {
            let fromCommand = try Self.makePipe(isSmall: false)
            do {
                let program = try CarrierProgram(
                    command,
                    input: toCommand.read,
                    output: fromCommand.write,
                    on: eventLoop
                )
                abandon(toCommand.read, fromCommand.write)
                return (program, fromCommand.read, toCommand.write)
            } catch {
                abandon(fromCommand.read, fromCommand.write)
                throw error
            }
        } catch {
            abandon(toCommand.read, toCommand.write)
            throw error
        }
    }

    private init(_ command: String, input: CInt, output: CInt, on eventLoop: any EventLoop) throws {
        self.eventLoop = eventLoop
        let promise = eventLoop.makePromise(of: Void.self)
        exit = promise.futureResult
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = FileHandle(fileDescriptor: input, closeOnDealloc: false)
        process.standardOutput = FileHandle(fileDescriptor: output, closeOnDealloc: false)
        process.terminationHandler = { _ in promise.succeed() }
        do {
            try process.runHeedingSignals()
        } catch {
            promise.succeed()
            throw error
        }
    }

    /// Ends the command: it gets a moment to do so itself once its streams are closed, then it is asked, then killed.
    ///
    /// - Returns: The end of the process, or the moment after which nobody waits for it. A process that has left the
    ///   group of the shell, or runs as another user, cannot be ended, and on Linux hides the end of the shell.
    func end() -> EventLoopFuture<Void> {
        if let ending { return ending }
        let over = eventLoop.makePromise(of: Void.self)
        ending = over.futureResult
        let pid = process.processIdentifier
        let waits = [SIGTERM, SIGKILL].enumerated().map { index, signal in
            eventLoop.scheduleTask(in: .nanoseconds((StreamLimits.endingTime * (index + 1)).wholeNanoseconds)) {
                // The process leads a group of its own, as far as the system lets it.
                if pid > 1, !Self.send(signal, toGroupOf: pid) { kill(pid, signal) }
            }
        }
        let last = eventLoop.scheduleTask(in: .nanoseconds((StreamLimits.endingTime * 3).wholeNanoseconds)) {}
        exit.whenComplete { _ in
            waits.forEach { $0.cancel() }
            last.cancel()
            // The shell has ended, and what it left in the background ends too.
            Self.send(SIGTERM, toGroupOf: pid)
        }
        // A cancelled wait ends as well.
        last.futureResult.whenComplete { _ in over.succeed() }
        return over.futureResult
    }

    /// Sends a signal to the command and all that it started; returns false if it leads no group.
    @discardableResult
    private static func send(_ signal: CInt, toGroupOf pid: CInt) -> Bool {
        pid > 1 && kill(-pid, signal) == 0
    }

    /// Closes two descriptors that no channel has taken.
    static func abandon(_ first: CInt, _ second: CInt) {
        _ = close(first)
        _ = close(second)
    }

    private static func makePipe(isSmall: Bool) throws(IOError) -> (read: CInt, write: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if os(Linux)
            // Best effort: a large pipe before a slow line makes the links slow.
            if isSmall { _ = fcntl(ends[1], SystemNumber.setPipeSize, StreamLimits.systemByteCount) }
        #endif
        return (ends[0], ends[1])
    }

    private enum SystemNumber {
        /// F_SETPIPE_SZ.
        static let setPipeSize: CInt = 1_031
    }
}
