import Foundation
import Testing

/// The known answers are for authors of other implementations, who have no other source.
@Suite("Heads of vector files")
struct VectorHeadTests {
    static let names: [String] = {
        let folder = Repository.root.appending(path: "Tests/Vectors").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".txt") }.sorted()
    }()

    @Test("There are vector files")
    func presence() {
        #expect(Self.names.count >= 25)
    }

    @Test("The head of a vector file names kind and source and explains every field, and no other", arguments: names)
    func heads(name: String) throws {
        let blocks = try #require(Repository.read("Tests/Vectors/\(name)")).split(separator: "\n\n")
        let head = try #require(blocks.first).split(separator: "\n")
        #expect(head.contains { $0.hasPrefix("kind: ") } && head.contains { $0.hasPrefix("source: ") })
        var explained: Set<String> = []
        for line in head where line.hasPrefix("field ") {
            let parts = line.dropFirst("field ".count).split(separator: ":", maxSplits: 1)
            #expect(parts.count == 2 && parts[1].count > 4, "\(line)")
            explained.insert(String(parts[0]))
        }
        let lines = blocks.dropFirst().flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("  ") }
        var used: Set<String> = []
        for line in lines {
            let field = String(line.prefix { $0 != ":" })
            // Numbered fields may share the explanation of `name n`.
            used.insert(explained.contains(field) ? field : field.replacing(/\d+$/, with: "n"))
        }
        used.remove("case")
        #expect(used.subtracting(explained) == [], "fields without explanation")
        #expect(explained.subtracting(used) == [], "explanations without field")
    }
}
