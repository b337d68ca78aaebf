import Foundation

/// Tells on standard error how far the work is.
enum Progress {
    static func say(_ text: String) {
        // Whoever read it may have gone, and then nobody misses it.
        try? FileHandle.standardError.write(contentsOf: Data("mesh-bench: \(text)\n".utf8))
    }
}
