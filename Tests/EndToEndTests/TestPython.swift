import Foundation

/// The Python environment that `Scripts/bootstrap` makes, with the modules that the tests need.
enum TestPython {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/python/bin/python3").standardized.path
}
