import Foundation

/// The input from the program that started this process.
enum StandardInput {
    /// The lines of the input; they end when the other side closes or dies.
    static var lines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
