import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A pair of descriptors for lines in both directions: standard streams, a child's pipes, a connected socket.
///
/// It works with terminals, files and pipes, which an event loop does not support. Each direction has its own queue, on
/// which a call may wait for the other side without blocking the concurrency pool. `cancel()` ends the waiting.
package final class DescriptorConnection: LineSink, Sendable {
    /// Units: bytes that a writable descriptor takes without waiting (POSIX guarantees 512 for a pipe, Linux and Darwin
    /// give a page).
    private static let pieceByteCount = 4_096
    /// Units: bytes of one read.
    private static let chunkByteCount = 65_536

    private let input: Int32
    private let output: Int32
    private let ownsDescriptors: Bool
    /// A pipe that becomes readable to end the waiting.
    private let wakeInput: Int32
    private let wakeOutput: Int32
    private let reading = DispatchQueue(label: "earshot.rpc.read")
    private let writing = DispatchQueue(label: "earshot.rpc.write")

    /// Makes a connection of two descriptors, or of one descriptor given twice.
    ///
    /// - Parameter ownsDescriptors: whether the connection closes the descriptors.
    package init(input: Int32, output: Int32, ownsDescriptors: Bool) throws(RPCServerError) {
        var wake: [Int32] = [-1, -1]
        guard pipe(&wake) == 0 else {
            throw RPCServerError(.system, "The system gives no pipe: \(String(cString: strerror(errno))).")
        }
        for descriptor in wake { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.input = input
        self.output = output
        self.ownsDescriptors = ownsDescriptors
        self.wakeInput = wake[0]
        self.wakeOutput = wake[1]
    }

    deinit {
        close(wakeInput)
        close(wakeOutput)
        guard ownsDescriptors else { return }
        close(input)
        if output != input { close(output) }
    }

    /// The received bytes, until the other side ends, an error occurs, or the connection is cancelled.
    package var chunks: AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { try await self.chunk() }
    }

    /// Writes a line.
    package func write(_ line: [UInt8]) async throws {
        let bytes = line + [UInt8(ascii: "\n")]
        try await waiting(on: writing) { try self.write(all: bytes) }
    }

    /// Ends all waiting, now and in future.
    package func cancel() {
        var byte: UInt8 = 0
        _ = systemWrite(wakeOutput, &byte, 1)
    }

    private func chunk() async throws -> [UInt8]? {
        try await waiting(on: reading) {
            guard try self.wait(for: self.input, Int16(POLLIN)) else { return nil }
            // Only the system copies the bytes: a copy here would stay in the registers of this thread while it waits.
            let bytes = try [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { buffer, count in
                let received = read(self.input, buffer.baseAddress, buffer.count)
                guard received >= 0 else { throw RPCServerError(.system, String(cString: strerror(errno))) }
                count = received
            }
            return bytes.isEmpty ? nil : bytes
        }
    }

    private func write(all bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard try wait(for: output, Int16(POLLOUT)) else { throw CancellationError() }
            let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, min($0.count, Self.pieceByteCount)) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                throw RPCServerError(.system, String(cString: strerror(errno)))
            }
        }
    }

    /// Waits until the descriptor is ready; false if `cancel()` ended the waiting.
    private func wait(for descriptor: Int32, _ events: Int16) throws -> Bool {
        var waits = [
            pollfd(fd: descriptor, events: events, revents: 0),
            pollfd(fd: wakeInput, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, nfds_t(waits.count), -1) < 0 {
            guard errno == EINTR else { throw RPCServerError(.system, String(cString: strerror(errno))) }
        }
        return waits[1].revents == 0
    }

    private func waiting<Value: Sendable>(
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body() }) }
            }
        } onCancel: {
            cancel()
        }
    }
}

/// Calls the system's `write`, which a method of that name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
