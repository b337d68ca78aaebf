import Foundation
import Testing

/// The checkout that contains these tests.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file by its path from the root.
    struct File: Sendable, CustomTestStringConvertible {
        let path: String
        let text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var testDescription: String { path }
    }

    /// Lists all Swift files below the folders, except generated ones.
    static func swiftFiles(below folders: String...) -> [File] {
        folders.flatMap { folder -> [File] in
            let base = root.appending(path: folder)
            let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
            return names.filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".pb.swift") }.sorted().compactMap { name in
                read("\(folder)/\(name)").map { File(path: "\(folder)/\(name)", text: $0) }
            }
        }
    }

    static func read(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
