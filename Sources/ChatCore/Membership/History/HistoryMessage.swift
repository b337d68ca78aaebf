package import ChatCrypto
import SwiftProtobuf

/// A control message about earlier messages, between a new member of a group and another member.
///
/// Source: PROTOCOL §16.6.
package enum HistoryMessage: Hashable, Sendable {
    /// Requests the messages from a cursor on, going back.
    case request(HistoryCursor)
    /// Provides messages.
    case page(HistoryPage)

    /// Reads a control message and its group; nil for bytes that are none, are malformed or exceed a limit.
    package static func read(_ bytes: [UInt8]) -> (group: GroupID, control: HistoryMessage)? {
        guard let control = try? ProtoHistoryNote(serializedBytes: bytes), let group = GroupID(bytes: control.group)
        else {
            return nil
        }
        if control.hasRequest { return (group, .request(HistoryCursor(control.request))) }
        guard control.hasPage, control.page.records.count <= EarlierMessageLimits.recordCount else { return nil }
        let records = control.page.records.compactMap(HistoryRecord.init)
        guard records.count == control.page.records.count else { return nil }
        let page = HistoryPage(
            from: control.page.hasFrom ? HistoryCursor(control.page.from) : nil,
            next: control.page.hasNext ? HistoryCursor(control.page.next) : nil,
            records: records
        )
        return (group, .page(page))
    }

    /// Encodes the control message, only for a session with a member.
    package func encoded(for group: GroupID) -> [UInt8] {
        var control = ProtoHistoryNote()
        control.group = .bytes(group.bytes)
        switch self {
        case .request(let cursor): control.request = cursor.encoded
        case .page(let page):
            control.page = ProtoHistoryPage()
            if let from = page.from { control.page.from = from.encoded }
            if let next = page.next { control.page.next = next.encoded }
            control.page.records = page.records.map(\.encoded)
        }
        // Encoding fails only for missing required fields, which proto3 does not have.
        return (try? control.serializedBytes()) ?? []
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
