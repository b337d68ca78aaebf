import Foundation

/// The Python that `Scripts/bootstrap` makes, with the modules of the tests.
enum TestPython {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/python/bin/python3").standardized.path
}
