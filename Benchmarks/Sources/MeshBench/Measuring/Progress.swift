import Foundation

/// Progress reports on standard error.
enum Progress {
    static func say(_ text: String) {
        // The reader may have gone; then no reader misses the line.
        try? FileHandle.standardError.write(contentsOf: Data("mesh-bench: \(text)\n".utf8))
    }
}
