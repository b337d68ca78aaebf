import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test(
        "The repository has the documents a newcomer looks for",
        arguments: [
            "README.md", "ARCHITECTURE.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "PROTOCOL.md",
            ".ci/run",
            "Scripts/check", "Scripts/api", "Scripts/docs", "Scripts/demo", "Scripts/bootstrap", "Scripts/package",
        ]
    )
    func presence(path: String) {
        #expect(Repository.read(path)?.isEmpty == false)
    }

    @Test("The demo installs no package of the tests")
    func packagesOfTheDemo() throws {
        let demo = try #require(Repository.read("Scripts/demo"))
        let line = try #require(demo.split(separator: "\n").first { $0.hasPrefix("Scripts/bootstrap") })
        let everything = try packages("Scripts/bootstrap")
        let wanted = try packages(String(line))
        #expect(wanted.contains("libsodium-dev") && wanted.contains("libcurl4-openssl-dev"))
        #expect(wanted.filter { !$0.hasSuffix("-dev") } == ["pkg-config"])
        for package in ["chromium", "xvfb", "strace", "playwright", "xllamacpp"] {
            #expect(everything.contains(package) && !wanted.contains(package))
        }
    }

    /// Returns the packages that a line of a script would install.
    private func packages(_ line: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", line + " --list"]
        process.currentDirectoryURL = Repository.root
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("The README fits on 100 lines")
    func readmeLength() throws {
        let readme = try #require(Repository.read("README.md"))
        #expect(readme.count(where: \.isNewline) <= 100)
    }

    @Test("Every link of a document leads to a file")
    func links() throws {
        var count = 0
        for document in Repository.guides {
            let text = try #require(Repository.read(document))
            let folder = Repository.root.appending(path: document).deletingLastPathComponent()
            let targets = text.matches(of: /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/).map { String($0.output.1) }
                .filter { !$0.contains("://") }
            let missing = targets.filter { !FileManager.default.fileExists(atPath: folder.appending(path: $0).path) }
            #expect(missing.isEmpty, "\(document)")
            count += targets.count
        }
        #expect(count > 20)
    }

    @Test("The page of troubleshooting quotes findings of the doctor as the sources have them")
    func findings() throws {
        let text = try #require(Repository.read("Docs/TROUBLESHOOTING.md"))
        let sources = Repository.swiftFiles(below: "Sources/MeshDoctor", "Sources/EarshotCLI/Doctor")
        let names = sources.flatMap { $0.text.matches(of: /(?:Self|Cause)\("([A-Za-z0-9]+)", in:/) }
            .map { String($0.output.1) }
        let quoted = text.matches(of: /finding `([A-Za-z0-9]+)`/).map { String($0.output.1) }
        #expect(names.count > 25 && quoted.count > 15)
        #expect(Set(quoted).subtracting(names) == [])
    }

    @Test("ARCHITECTURE.md fits on 90 lines")
    func architectureLength() throws {
        let text = try #require(Repository.read("ARCHITECTURE.md"))
        #expect(text.count(where: \.isNewline) <= 90)
    }

    @Test("Every file and folder that a document names exists", arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"])
    func namedFiles(document: String) throws {
        let text = try #require(Repository.read(document))
        let pattern = /`((?:Sources|Tests|Fuzz|Scripts|Docs|Protos|Examples)\/[^` ]*|[A-Z]+\.md)(?: [^`]*)?`/
        let named = text.matches(of: pattern).map { String($0.output.1) }
        #expect(named.count >= 20)
        let missing = named.filter { path in
            !FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
        }
        #expect(missing == [])
    }

    @Test("Every test that SECURITY.md names exists")
    func securityTests() throws {
        let security = try #require(Repository.read("SECURITY.md"))
        let tests = Repository.swiftFiles(below: "Tests").map(\.text).joined()
        let named = security.matches(of: /\| test: "([^"]+)"/).map { String($0.output.1) }
        #expect(named.count >= 20)
        #expect(named.filter { !tests.contains("\"\($0)\"") } == [])
    }

    @Test("PROTOCOL lists every chapter, and each has the number of its section")
    func chapters() throws {
        let contents = try #require(Repository.read("PROTOCOL.md"))
        let chapters = Repository.chapters
        #expect(chapters.count >= 14)
        for path in chapters {
            let number = try #require(path.firstMatch(of: /(\d+)-[a-z-]+\.md/).flatMap { Int($0.output.1) })
            let text = try #require(Repository.read(path))
            #expect(text.hasPrefix("# \(number). "), "\(path)")
            #expect(contents.contains("](\(path))"), "\(path)")
        }
    }

    @Test("PROTOCOL says of every part what a small client may leave out")
    func minimum() throws {
        let protocolText = try #require(Repository.read("PROTOCOL.md"))
        let parts = protocolText.split(separator: "\n## 18. Minimum\n")
        let minimum = try #require(parts.count == 2 ? parts.last : nil)
        for section in [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17] {
            #expect(minimum.contains(try Regex("\\| [a-z][^|]*§\(section)(?![0-9])")), "§\(section)")
        }
    }
}
