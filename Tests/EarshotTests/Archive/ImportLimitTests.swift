import ChatCrypto
import Foundation
import SwiftProtobuf
import Testing

@testable import ChatCore
@testable import Earshot

/// Files that reach the limits of an import.
///
/// Each test writes its file line by line, as another program would.
@Suite("The limits of imports", .timeLimit(.minutes(30)))
struct ImportLimitTests {
    private let scene: FileScene
    private let owner = Identity().publicIdentity.id
    private let friend = Identity().publicIdentity.id

    init() throws { scene = try FileScene() }

    private func line(_ value: some Encodable) throws -> [UInt8] { try ArchiveLine.bytes(value) }

    private var header: [UInt8] {
        get throws {
            try line(ArchiveLine.Header(version: 1, exportedAt: "", id: owner.description, name: "Alice"))
        }
    }

    private func conversation(_ count: Int) throws -> [UInt8] {
        try line(
            ArchiveLine.Conversation(
                id: friend.description,
                kind: "direct",
                title: "Bob",
                members: [],
                messages: count
            )
        )
    }

    /// Returns the line of an outgoing message.
    ///
    /// Its record has additional bytes in a field that no version knows.
    private func message(_ number: Int, more: Int = 0) throws -> [UInt8] {
        var record = ProtoMessageRecord()
        record.content = .init(ContentBytes.text("leaf \(number)", order: UInt64(number)))
        record.id = .init(
            MessageID(sender: owner, chat: friend.bytes, content: [UInt8](record.content)).bytes
        )
        record.sender = .init(owner.bytes)
        record.conversation = .init(friend.bytes)
        record.outgoing = true
        record.receivedAt = UInt64(1_800_000_000_000 + number)
        var bytes = try record.serializedBytes() as [UInt8]
        if more > 0 {
            // The tag and the length of the field take five bytes.
            bytes += ContentBytes.field(900, [UInt8](repeating: 0, count: more - bytes.count - 5))
            #expect(bytes.count == more)
        }
        return Array("{\"type\":\"message\",\"record\":\"\(Data(bytes).base64EncodedString())\"}\n".utf8)
    }

    private func read(_ bytes: [UInt8], _ body: (ChatNode) async throws -> Void = { _ in }) async throws -> ImportReport
    {
        let node = try await ChatNode.create(name: "Carol")
        let report = try await node.history.importArchive(from: try scene.file("\(UUID())", bytes))
        try await body(node)
        await node.stop()
        return report
    }

    @Test("Of broken lines the first hundred are told, and all are counted")
    func reportedCount() async throws {
        let broken = Array("{\"type\":\"message\",\"record\":\"AAAA\"}\n".utf8)
        let count = ArchiveLimits.reportedCount + 7
        let report = try await read(try header + (0..<count).flatMap { _ in broken })
        #expect(report.brokenCount == count)
        #expect(report.broken.map(\.line) == Array(2..<ArchiveLimits.reportedCount + 2))
    }

    @Test("A record of the greatest length is taken, a longer one is not")
    func recordByteCount() async throws {
        let limit = ArchiveLimits.recordByteCount
        let lines = try header + conversation(3) + message(1) + message(2, more: limit) + message(3, more: limit + 1)
        let report = try await read(lines)
        #expect(report.addedCount == 2 && report.broken.map(\.line) == [5])
    }

    @Test("A conversation of as many members as there may be is taken, and one of more is not")
    func memberCount() async throws {
        func group(_ count: Int) throws -> [UInt8] {
            let members = (0..<count).map { number in
                let bytes = [UInt8](repeating: 7, count: 24) + withUnsafeBytes(of: number.bigEndian, Array.init)
                return ArchiveLine.Member(id: bytes.hex, name: "m")
            }
            let id = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: 16).hex
            return try line(
                ArchiveLine.Conversation(id: id, kind: "group", title: "G", members: members, messages: 0)
            )
        }
        let limit = ArchiveLimits.memberCount
        let report = try await read(try header + group(limit) + group(limit + 1))
        #expect(report.broken.map(\.line) == [3] && report.broken.map(\.reason) == ["malformed"])
    }

    @Test("All messages of a conversation are deleted, however many steps that takes")
    func clearing() async throws {
        let count = ChatLimits.stepWriteCount + 50
        let lines = try header + conversation(count) + (1...count).flatMap { try message($0) }
        let report = try await read(lines) { node in
            let before = try await node.conversation(.direct(friend)).history(limit: 1_000)
            #expect(before.count == 1_000 && before.last?.text == "leaf \(count)")
            try await node.conversation(.direct(friend)).deleteHistory()
            #expect(try await node.conversation(.direct(friend)).history(limit: 1_000).isEmpty)
            #expect(try await node.history.check().signs.isEmpty)
        }
        #expect(report.addedCount == count && report.brokenCount == 0)
    }

    /// Returns a record with a number in each of its fields.
    private func numbered(_ number: Int) throws -> [UInt8] {
        var record = ProtoMessageRecord()
        record.content = .init(ContentBytes.text("number \(number)", order: UInt64(number)))
        record.id = .init(MessageID(sender: owner, chat: friend.bytes, content: [UInt8](record.content)).bytes)
        (record.sender, record.conversation) = (.init(owner.bytes), .init(friend.bytes))
        (record.receivedAt, record.status, record.origin, record.gone) = (1_800_000_000_000, 4, 0, 0)
        record.outgoing = true
        var edit = ProtoEditRecord()
        (edit.id, edit.revision, edit.sentAt, edit.text) = (record.id, 1, 1_800_000_000_000, "edited")
        record.changes.edits = [edit]
        return try record.serializedBytes()
    }

    private func numberLines() throws -> [[UInt8]] {
        let records = ExtremeNumbers.variants(of: try numbered(1))
        let lines = records.map {
            Array("{\"type\":\"message\",\"record\":\"\(Data($0).base64EncodedString())\"}\n".utf8)
        }
        let id = MessageID(sender: owner, chat: friend.bytes, content: []).description
        let numbers = ExtremeNumbers.all.map(String.init) + ["-1", "0.5", "1e308"]
        return lines
            + numbers.flatMap { number in
                [
                    #"{"type":"file","message":"\#(id)","index":\#(number),"offset":0,"data":"AAAA"}"#,
                    #"{"type":"file","message":"\#(id)","index":0,"offset":\#(number),"data":"AAAA"}"#,
                    #"{"type":"conversation","id":"\#(friend)","kind":"direct","title":"B","members":[],"#
                        + #""messages":\#(number)}"#,
                ].map { Array("\($0)\n".utf8) }
            }
    }

    @Test("Every number of every line at its extremes is taken or refused, and all is shown, searched and exported")
    func numbers() async throws {
        let lines = try numberLines()
        let report = try await read(try header + conversation(9) + lines.joined() + message(2)) { node in
            let shown = try await node.conversation(.direct(friend)).history(limit: 1_000)
            #expect(shown.contains { $0.text == "leaf 2" })
            #expect(try await node.history.search(SearchQuery("leaf")).hits.count == 1)
            for format in ExportOptions.Format.allCases {
                _ = try await node.history.export(to: scene.folder.appending(path: format.rawValue), .init(format))
            }
        }
        #expect(report.brokenCount > 0 && report.addedCount > 1)
    }
}
