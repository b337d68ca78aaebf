import Foundation

/// What whoever started this process writes to it.
enum StandardInput {
    /// The lines; they end when the other side closes or dies.
    static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
