import ChatCrypto
import MeshCore

#if !FUZZING
    @testable import ChatCore
#endif

/// Checks control messages about earlier messages, as they come from a session: a decoded one keeps to all limits and
/// is encoded to the same bytes, and a new member keeps to its own limits whatever pages a member sends.
func fuzzHistory(_ input: [UInt8]) {
    var choices = Choices(input)
    let (member, other) = (person(1), person(2))
    var pull = HistoryPull(joinEpoch: 1, since: 0, above: UInt64(choices.byte()))
    let lowest = pull.ceiling - EarlierMessageLimits.placeCount
    for _ in 0..<8 {
        let bytes = choices.candidate(like: HistoryExamples.all)
        guard let (group, control) = HistoryMessage.read(bytes) else { continue }
        let again = HistoryMessage.read(control.encoded(for: group))
        precondition(again?.group == group && again?.control == control)
        guard case .page(let page) = control else { continue }
        precondition(page.records.count <= EarlierMessageLimits.recordCount)
        precondition(page.records.allSatisfy { !$0.content.isEmpty })
        for record in page.records { _ = MessageContent.decode(record.content) }
        let time = ChatTime(wall: 1, monotonic: .zero)
        let asked = pull.next(among: [member, other], at: time)
        let before = pull.asked[member]
        let byteCount = page.records.reduce(0) { $0 + $1.byteCount }
        let isTaken = pull.take(page, byteCount: byteCount, from: member, at: .zero)
        precondition(
            pull.byteCount <= EarlierMessageLimits.pullByteCount && pull.pageCount <= EarlierMessageLimits.pageCount
        )
        precondition(!isTaken || before != nil && !pull.isOver || asked == nil)
        if let before, let after = pull.asked[member], before.cursor != after.cursor {
            precondition(after.cursor.isBeyond(before.cursor))
        }
        for _ in page.records { if let place = pull.takePlace() { precondition(place > lowest) } }
        let stored = HistoryPull(pull.record(of: group))
        precondition(stored.asked == pull.asked && stored.nextPlace == pull.nextPlace && stored.isOver == pull.isOver)
    }
}

private func person(_ byte: UInt8) -> PeerID {
    guard let id = PeerID(bytes: [UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
    return id
}

/// Control messages in the form that a node writes.
private enum HistoryExamples {
    static let all: [[UInt8]] = {
        guard let group = GroupID(bytes: [UInt8](repeating: 4, count: 16)),
            let id = MessageID(bytes: [UInt8](repeating: 9, count: 16))
        else { return [] }
        let records = ContentExamples.all.enumerated().map { index, content in
            HistoryRecord(author: person(3), content: content, change: index.isMultiple(of: 2) ? nil : id)
        }
        let cursor = HistoryCursor(place: 1 << 32, part: 1)
        let pages = [
            HistoryPage(from: .newest, next: cursor, records: Array(records.prefix(2))),
            HistoryPage(from: cursor, next: nil, records: Array(records.suffix(2))),
            HistoryPage(from: nil, next: nil, records: Array(records.prefix(1))),
        ]
        return ([.request(.newest)] + pages.map(HistoryMessage.page)).map { $0.encoded(for: group) }
    }()
}
