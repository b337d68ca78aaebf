import ChatCrypto
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

/// One export of two running nodes, damaged in many ways.
@Suite("Imports of what was changed", .timeLimit(.minutes(30)))
struct ArchiveDamageTests {
    private let folder: FileScene

    init() throws { folder = try FileScene() }

    /// Makes a plain export of six messages.
    ///
    /// Returns the lines of its file and the conversation.
    private func export(_ texts: [String] = (1...6).map { "leaf \($0)" }) async throws -> ([String], ConversationID) {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let place = folder.folder.appending(path: "\(UUID()).jsonl")
        var conversation: ConversationID?
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            conversation = .direct(bobID)
            for text in texts { try await alice.node.conversation(.direct(bobID)).send(text) }
            try await alice.node.history.export(to: place)
        }
        let lines = try String(contentsOf: place, encoding: .utf8).split(separator: "\n").map(String.init)
        return (lines, try #require(conversation))
    }

    private func file(_ lines: [String]) throws -> URL {
        try folder.file("\(UUID()).jsonl", Array(lines.joined(separator: "\n").utf8))
    }

    private func texts(_ node: ChatNode, _ conversation: ConversationID) async throws -> [String] {
        try await node.conversation(conversation).history(limit: 1_000).map(\.text)
    }

    @Test("An export gets its name on disks without hard links too, and takes no other file's", arguments: [0, EPERM])
    func names(refusal: Int32) throws {
        let (part, place) = (folder.folder.appending(path: "a.part"), folder.folder.appending(path: "a"))
        let other = try folder.file("b", [7])
        try Data([1, 2]).write(to: part)
        let linking = { (from: URL, to: URL) in
            refusal != 0 ? refusal : link(from.path, to.path) == 0 ? 0 : errno
        }
        #expect(throws: ChatError.self) { try ArchiveWriter.putInPlace(part, as: other, linking: linking) }
        #expect(try Data(contentsOf: other) == Data([7]))
        try ArchiveWriter.putInPlace(part, as: place, linking: linking)
        #expect(try Data(contentsOf: place) == Data([1, 2]))
        #expect(!FileManager.default.fileExists(atPath: part.path))
    }

    @Test("A line that is not right is told with its number and left out, and the others are taken")
    func brokenLines() async throws {
        let (lines, conversation) = try await export()
        let first = try #require(lines.firstIndex { $0.contains(#""type":"message""#) })
        var damaged = lines
        damaged[first] = String(damaged[first].dropLast(9))
        damaged[first + 1] = damaged[first + 1].replacingOccurrences(of: #""type":"message""#, with: #""type":"song""#)
        // The line holds the content of one message under the record of another.
        damaged[first + 2] = try #require(swapped(lines[first + 2], lines[first + 3]))
        damaged.insert(#"{"type":"message","record":"AAAA"}"#, at: first)
        damaged.insert(#"{"type":"file","message":"00","index":0,"offset":0,"data":""}"#, at: first)
        damaged.insert("{\"x\":\"" + String(repeating: "x", count: ArchiveLimits.lineByteCount) + "\"}", at: first)
        damaged.append(#"{"type":"conversation","id":"zz","kind":"direct","title":"","members":[],"messages":1}"#)
        let node = try await ChatNode.create(name: "Carol")
        let report = try await node.history.importArchive(from: try file(damaged))
        #expect(report.broken.map(\.line) == [first + 1, first + 2, first + 3, first + 4, first + 6, damaged.count])
        #expect(
            report.broken.map(\.reason) == ["tooLong", "malformed", "malformed", "malformed", "wrongID", "malformed"]
        )
        #expect(report.unknownCount == 1 && report.addedCount == 3)
        #expect(try await texts(node, conversation) == ["leaf 4", "leaf 5", "leaf 6"])
        await node.stop()
    }

    /// Returns a line whose record has the id of another line's record.
    private func swapped(_ line: String, _ other: String) -> String? {
        func record(_ line: String) -> Data? {
            let blob = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (blob?["record"] as? String).flatMap { Data(base64Encoded: $0) }
        }
        guard var bytes = record(line), let others = record(other) else { return nil }
        // The id is the first field of the record: 16 bytes after the tag and the length.
        bytes.replaceSubrange(2..<18, with: others[2..<18])
        return "{\"type\":\"message\",\"record\":\"\(bytes.base64EncodedString())\"}"
    }

    @Test("Older messages go before those that are here, newer ones behind")
    func order() async throws {
        let (lines, conversation) = try await export()
        let first = try #require(lines.firstIndex { $0.contains(#""type":"message""#) })
        let head = lines[..<first]
        let node = try await ChatNode.create(name: "Carol")
        for part in [first + 2..<first + 4, first..<first + 6] {
            try await node.history.importArchive(from: try file(Array(head + lines[part])))
        }
        #expect(try await texts(node, conversation) == (1...6).map { "leaf \($0)" })
        await node.stop()
    }

    @Test("A sealed export that was changed or cut off is told, and what came before it is kept")
    func sealed() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        let place = folder.folder.appending(path: "sealed")
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            for number in 1...12 {
                try await alice.node.conversation(.direct(bobID)).send(
                    "\(number) " + String(repeating: "x", count: 10_000)
                )
            }
            var options = ExportOptions(passphrase: "p")
            options.isCheap = true
            try await alice.node.history.export(to: place, options)
        }
        let bytes = Array(try Data(contentsOf: place))
        let segment = ArchiveSealer.sealedSegmentByteCount
        try #require(bytes.count > ArchiveOpener.headerByteCount + 2 * segment)
        var flipped = bytes
        flipped[ArchiveOpener.headerByteCount + segment + 5] ^= 1
        let cut = Array(bytes[..<(ArchiveOpener.headerByteCount + segment)])
        for damaged in [flipped, cut, Array(bytes.dropLast())] {
            let node = try await ChatNode.create(name: "Carol")
            let file = try folder.file("\(UUID())", damaged)
            var refusal: ChatError?
            do {
                try await node.history.importArchive(from: file, passphrase: "p")
            } catch {
                refusal = error
            }
            #expect(refusal?.code == .fileUnusable)
            let kept = try await node.history.search(SearchQuery("x", limit: 100)).hits.count
            #expect(damaged.count == bytes.count - 1 ? kept > 0 : kept < 12)
            await node.stop()
        }
    }
}
