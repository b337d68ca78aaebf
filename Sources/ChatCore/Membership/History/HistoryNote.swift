package import ChatCrypto
import SwiftProtobuf

/// A control message about earlier messages, between a new member of a group and another member.
///
/// Source: PROTOCOL §16.6.
package enum HistoryNote: Hashable, Sendable {
    /// Requests the messages from a cursor on, going back.
    case request(HistoryCursor)
    /// Provides messages.
    case page(HistoryPage)

    /// Reads a control message and its group; nil for bytes that are none, are malformed or exceed a limit.
    package static func read(_ bytes: [UInt8]) -> (group: GroupID, note: HistoryNote)? {
        guard let note = try? ProtoHistoryNote(serializedBytes: bytes), let group = GroupID(bytes: note.group) else {
            return nil
        }
        if note.hasRequest { return (group, .request(HistoryCursor(note.request))) }
        guard note.hasPage, note.page.records.count <= NewcomerLimits.recordCount else { return nil }
        let records = note.page.records.compactMap(HistoryRecord.init)
        guard records.count == note.page.records.count else { return nil }
        let page = HistoryPage(
            from: note.page.hasFrom ? HistoryCursor(note.page.from) : nil,
            next: note.page.hasNext ? HistoryCursor(note.page.next) : nil,
            records: records
        )
        return (group, .page(page))
    }

    /// Encodes the control message, only for a session with a member.
    package func encoded(for group: GroupID) -> [UInt8] {
        var note = ProtoHistoryNote()
        note.group = .bytes(group.bytes)
        switch self {
        case .request(let cursor): note.request = cursor.encoded
        case .page(let page):
            note.page = ProtoHistoryPage()
            if let from = page.from { note.page.from = from.encoded }
            if let next = page.next { note.page.next = next.encoded }
            note.page.records = page.records.map(\.encoded)
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        return (try? note.serializedBytes()) ?? []
    }
}

extension HistoryCursor {
    fileprivate init(_ cursor: ProtoHistoryCursor) {
        self.init(place: cursor.place, part: cursor.part)
    }

    fileprivate var encoded: ProtoHistoryCursor {
        var cursor = ProtoHistoryCursor()
        cursor.place = place
        cursor.part = part
        return cursor
    }
}

extension HistoryRecord {
    /// Reads a record; nil without an author, without content, or with an id of another length.
    fileprivate init?(_ record: ProtoHistoryRecord) {
        guard let author = PeerID(bytes: record.author), !record.content.isEmpty else { return nil }
        let change = MessageID(bytes: record.id)
        guard change != nil || record.id.isEmpty else { return nil }
        self.init(author: author, content: [UInt8](record.content), change: change)
    }

    fileprivate var encoded: ProtoHistoryRecord {
        var record = ProtoHistoryRecord()
        record.author = .bytes(author.bytes)
        record.content = .bytes(content)
        record.id = .bytes(change?.bytes ?? [])
        return record
    }
}
