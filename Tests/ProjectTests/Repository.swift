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
        folders.flatMap { files(below: $0, ending: ".swift") }.filter { !$0.path.hasSuffix(".pb.swift") }
    }

    /// The documents for people who use, judge, change or publish the program.
    static let guides = [
        "README.md", "CONTRIBUTING.md", "Docs/COMMANDS.md", "Docs/INSTALL.md", "Docs/LIBRARY.md", "Docs/RELEASING.md",
        "Docs/TROUBLESHOOTING.md", "Docs/TRUST.md", "Docs/TUTORIAL.md",
    ]

    /// The chapters of the protocol.
    static var chapters: [String] { files(below: "Docs/protocol", ending: ".md").map(\.path) }

    /// The articles of the library's documentation.
    static var articles: [File] { files(below: "Sources", ending: ".md").filter { $0.path.contains(".docc/") } }

    private static func files(below folder: String, ending: String) -> [File] {
        let names = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().compactMap { name in
            read("\(folder)/\(name)").map { File(path: "\(folder)/\(name)", text: $0) }
        }
    }

    static func read(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
