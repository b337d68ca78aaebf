import Earshot
import Foundation
import Testing

@testable import ChatCore

/// A data directory that an earlier version has made.
///
/// It is kept byte by byte, except runs of zeros.
///
/// Each line is a file name, an offset and bytes in base64. All bytes that no line states are zero, and the last line
/// of a file ends the file. A kept data directory never changes. `EARSHOT_MAKE_HOMES` makes that of the present code if
/// it does not exist yet.
enum KeptHome: String, CaseIterable, Sendable {
    /// The first schema.
    case schema1 = "schema-1"

    static let texts = (1...5).map { "leaf \($0)" } + [String(repeating: "long ", count: 200)]

    private var place: URL {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.deletingLastPathComponent().appending(path: "Vectors/Homes").appending(path: rawValue)
    }

    var isKept: Bool { FileManager.default.fileExists(atPath: place.path) }

    var files: [String: Data] {
        get throws {
            var files: [String: Data] = [:]
            for line in try String(contentsOf: place, encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ")
                let (offset, bytes) = (
                    try #require(Int(fields[1])), try #require(Data(base64Encoded: String(fields[2])))
                )
                var file = files[String(fields[0])] ?? Data()
                file += Data(count: offset - file.count) + bytes
                files[String(fields[0])] = file
            }
            return files
        }
    }

    func keep(_ files: [String: Data]) throws {
        var lines: [String] = []
        for (name, data) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = [UInt8](data)
            var start = 0
            while start < bytes.count {
                var end = start
                // A run of fewer zeros is cheaper in base64 than another line.
                while end < bytes.count, bytes[end..<min(end + 40, bytes.count)].contains(where: { $0 != 0 }) {
                    end += 1
                }
                if end > start || end == bytes.count {
                    lines.append("\(name) \(start) \(Data(bytes[start..<end]).base64EncodedString())")
                }
                start = end
                while start < bytes.count, bytes[start] == 0 { start += 1 }
                if start == bytes.count, end < bytes.count { lines.append("\(name) \(bytes.count - 1) AA==") }
            }
        }
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: place)
    }
}

@Suite("Homes of earlier versions", .timeLimit(.minutes(30)))
struct EarlierHomeTests {
    @Test(
        "A home of every schema and form opens with all its messages, goes on, and is watched",
        arguments: KeptHome.allCases
    )
    func opens(kept: KeptHome) async throws {
        let home = try TestHome(copying: try kept.files)
        for count in 0...1 {
            try await home.open { node in
                let conversations = try await node.conversations.all()
                #expect(conversations.map(\.title) == ["Bob"])
                let id = try #require(conversations.first?.id)
                let texts = KeptHome.texts + [String](repeating: "more", count: count)
                #expect(try await node.conversation(id).history(limit: 100).map(\.text) == texts)
                #expect(try await node.history.check().signs.isEmpty)
                try await node.conversation(.direct(try #require(id.peer))).send("more")
            }
        }
        #expect(try home.files()["anchor"]?.first == 3)
    }

    @Test("What still opens of a home of every schema and form is rescued", arguments: KeptHome.allCases)
    func rescue(kept: KeptHome) async throws {
        let home = try TestHome(copying: try kept.files)
        let scene = try FileScene()
        let place = scene.folder.appending(path: "saved")
        try await HistoryRescue(home: home.directory).export(to: place)
        #expect(try RescuedLine.read(place).compactMap(\.message?.text) == KeptHome.texts)
    }

    @Test("There is a kept home of the schema that new homes have")
    func newest() async throws {
        func schema(_ files: [String: Data]) throws -> [UInt8] { Array(try #require(files["history.sqlite"])[60..<64]) }
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        let newest = try schema(try home.files())
        #expect(try KeptHome.allCases.contains { try schema($0.files) == newest })
    }

    @Test("Kept homes are made", .enabled(if: ProcessInfo.processInfo.environment["EARSHOT_MAKE_HOMES"] != nil))
    func make() async throws {
        for kept in [KeptHome.schema1] where !kept.isKept {
            let home = try TestHome()
            try await home.open(name: "Alice") { node in
                let peer = try await node.meetOnPaper("Bob")
                for text in KeptHome.texts { try await node.conversation(.direct(peer)).send(text) }
            }
            try kept.keep(try home.files().filter { ["history.sqlite", "key.bin", "anchor"].contains($0.key) })
        }
    }
}
