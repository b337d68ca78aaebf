import ChatCrypto
import MeshCore
import SwiftProtobuf

extension HistoryPull {
    /// Restores the stored requests.
    init(_ record: ProtoPullRecord) {
        self.init(
            joinEpoch: record.entrance,
            since: record.since.bounded,
            ceiling: record.ceiling.bounded,
            nextPlace: min(record.nextPlace, record.ceiling)
        )
        attester = PeerID(bytes: record.voucher)
        for stored in record.asked {
            guard let member = PeerID(bytes: stored.member) else { continue }
            asked[member] = Asked(
                cursor: HistoryCursor(place: stored.place, part: stored.part),
                hasEnded: stored.ended,
                isBarred: stored.barred
            )
        }
        pageCount = Int(record.pages)
        byteCount = Int(record.byteCount.bounded)
        messageCount = Int(record.messages)
        isOver = record.over
        request = MessageID(bytes: record.request)
    }

    /// Makes the record of the requests for the store, without the time of the next.
    func record(of group: GroupID) -> ProtoPullRecord {
        var record = ProtoPullRecord()
        record.group = .bytes(group.bytes)
        record.entrance = joinEpoch
        record.since = since
        record.ceiling = ceiling
        record.nextPlace = nextPlace
        record.voucher = .bytes(attester?.bytes ?? [])
        record.asked = asked.sorted { $0.key < $1.key }.map { member, asked in
            var stored = ProtoAskedRecord()
            stored.member = .bytes(member.bytes)
            stored.place = asked.cursor.place
            stored.part = asked.cursor.part
            stored.ended = asked.hasEnded
            stored.barred = asked.isBarred
            return stored
        }
        record.pages = UInt32(clamping: pageCount)
        record.byteCount = UInt64(byteCount)
        record.messages = UInt32(clamping: messageCount)
        record.over = isOver
        record.request = .bytes(request?.bytes ?? [])
        return record
    }
}
