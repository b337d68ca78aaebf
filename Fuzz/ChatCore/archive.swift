import ChatCrypto
import Foundation

#if !FUZZING
    @testable import ChatCore
    @testable import Earshot
#endif

/// Checks lines of an export: a decoded entry keeps to all limits, and its record decodes to itself after encoding.
func fuzzArchive(_ input: [UInt8]) {
    var choices = Choices(input)
    let line = choices.candidate(like: ArchiveExamples.all)
    _ = try? ArchiveEntry(reading: line, of: nil)
    switch try? ArchiveEntry(reading: line, of: ArchiveExamples.owner) {
    case .message(let record):
        precondition(record.imported && record.longText.utf8.count <= ChatLimits.longTextByteCount)
        let again = try? ProtoMessageRecord(archived: Data(record.archived()), of: ArchiveExamples.owner)
        precondition(again == record)
    case .conversation(let conversation):
        precondition(conversation.members.count <= ArchiveLimits.memberCount)
    case .segment(let segment): precondition(segment.bytes.count <= 32_768 && segment.index < ChatLimits.fileCount)
    case .header: preconditionFailure("a second header")
    case .contact, .unknown, nil: break
    }
    // The record alone, since JSON prevents changes of single bits in it.
    let bytes = choices.candidate(like: ArchiveExamples.records)
    _ = try? ProtoMessageRecord(archived: Data(bytes), of: ArchiveExamples.owner)
}

/// Lines in the form that a node writes.
private enum ArchiveExamples {
    static let owner = member(1)
    static let records: [[UInt8]] = ContentExamples.all.map { content in
        var record = ProtoMessageRecord()
        record.id = .init(MessageContent.id(of: content, from: owner, to: member(2)).bytes)
        (record.sender, record.conversation) = (.init(owner.bytes), .init(member(2).bytes))
        (record.content, record.outgoing, record.status) = (.init(content), true, 4)
        return record.archived()
    }

    static let all: [[UInt8]] =
        records.map { text("message", #""record":"\#(Data($0).base64EncodedString())""#) } + [
            text("earshot", #""version":1,"exportedAt":"","id":"\#(owner)","name":"A""#),
            text(
                "conversation",
                #""id":"\#(owner)","kind":"direct","title":"T","members":[{"id":"\#(owner)","name":"A"}],"messages":2"#
            ),
            text("file", #""message":"\#(String(repeating: "0a", count: 16))","index":1,"offset":0,"data":"AAAA""#),
        ]

    private static func text(_ type: String, _ rest: String) -> [UInt8] { Array("{\"type\":\"\(type)\",\(rest)}".utf8) }

    private static func member(_ byte: UInt8) -> PeerID {
        guard let id = PeerID(bytes: [UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
        return id
    }
}
