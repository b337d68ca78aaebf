package import ChatCrypto
package import MeshCore
import SwiftProtobuf

/// What this node has told newcomers of what was said before they came, and who waits to be told.
///
/// A pure value, bounded by ``NewcomerLimits/answerCount`` and ``NewcomerLimits/waitingCount``.
package struct HistoryAnswers: Sendable {
    /// Somebody new in a group.
    package struct Newcomer: Hashable, Comparable, Sendable {
        package let group: GroupID
        package let member: PeerID

        package init(group: GroupID, member: PeerID) {
            self.group = group
            self.member = member
        }

        package static func < (left: Newcomer, right: Newcomer) -> Bool {
            (left.group, left.member) < (right.group, right.member)
        }

        /// The name of its record.
        var name: [UInt8] { group.bytes + member.bytes }
    }

    /// What somebody was told.
    package struct Answer: Hashable, Sendable {
        /// The epoch in which it came.
        package let entrance: UInt32
        /// The lowest place it knows; what stands below is still to come, or is not for it.
        package var floor: UInt64
        /// How many messages it was told.
        package var count: UInt32
        /// Units: milliseconds since 1970.
        package var answeredAt: UInt64
        /// How many pages it was given.
        package var pageCount: UInt32

        package init(
            entrance: UInt32,
            floor: UInt64 = .max,
            count: UInt32 = 0,
            answeredAt: UInt64,
            pageCount: UInt32 = 0
        ) {
            self.entrance = entrance
            self.floor = floor
            self.count = count
            self.answeredAt = answeredAt
            self.pageCount = pageCount
        }
    }

    private var entries: [Newcomer: Answer] = [:]
    private var waiting: [(newcomer: Newcomer, cursor: HistoryCursor)] = []
    /// When the next may be answered.
    private var nextAnswer = MeshInstant.zero

    package init() {}

    /// When somebody is to be answered.
    package var nextDeadline: MeshInstant { waiting.isEmpty ? .distantFuture : nextAnswer }

    package var count: Int { entries.count }

    package var waitingCount: Int { waiting.count }

    package subscript(newcomer: Newcomer) -> Answer? { entries[newcomer] }

    /// Those in a group who came after an epoch and were told what was said before, in order.
    package func newcomers(to group: GroupID, after epoch: UInt32) -> [Newcomer] {
        entries.filter { $0.key.group == group && $0.value.entrance > epoch }.keys.sorted()
    }

    /// Keeps a request until its turn comes; a later one of the same newcomer takes its place.
    package mutating func wait(_ newcomer: Newcomer, for cursor: HistoryCursor) {
        if let index = waiting.firstIndex(where: { $0.newcomer == newcomer }) {
            waiting[index].cursor = cursor
        } else if waiting.count < NewcomerLimits.waitingCount {
            waiting.append((newcomer, cursor))
        }
    }

    /// The request whose turn it is.
    package mutating func takeDue(at now: MeshInstant) -> (newcomer: Newcomer, cursor: HistoryCursor)? {
        guard nextAnswer <= now, !waiting.isEmpty else { return nil }
        nextAnswer = now.advanced(by: NewcomerLimits.answerInterval)
        return waiting.removeFirst()
    }

    /// Notes what somebody was told; answers who had to make room.
    package mutating func set(_ answer: Answer, for newcomer: Newcomer) -> Newcomer? {
        var crowdedOut: Newcomer?
        if entries[newcomer] == nil, entries.count >= NewcomerLimits.answerCount {
            crowdedOut = entries.min { ($0.value.answeredAt, $0.key) < ($1.value.answeredAt, $1.key) }?.key
        }
        if let crowdedOut { entries[crowdedOut] = nil }
        entries[newcomer] = answer
        return crowdedOut
    }

    /// Forgets those whom something holds for; answers whose records are to go.
    package mutating func forget(where isGone: (Newcomer, Answer) -> Bool) -> [Newcomer] {
        let gone = entries.filter { isGone($0.key, $0.value) }.keys.sorted()
        for newcomer in gone { entries[newcomer] = nil }
        return gone
    }

    /// Answers nobody of a group any more, or one member of it.
    package mutating func cancel(_ group: GroupID, _ member: PeerID? = nil) {
        waiting.removeAll { $0.newcomer.group == group && (member == nil || $0.newcomer.member == member) }
    }
}

extension HistoryAnswers.Answer {
    func record(of newcomer: HistoryAnswers.Newcomer) -> ProtoAnswerRecord {
        var record = ProtoAnswerRecord()
        record.group = .bytes(newcomer.group.bytes)
        record.member = .bytes(newcomer.member.bytes)
        record.entrance = entrance
        record.floor = floor
        record.count = count
        record.answeredAt = answeredAt
        record.pages = pageCount
        return record
    }

    init(_ record: ProtoAnswerRecord) {
        self.init(
            entrance: record.entrance,
            floor: record.floor.bounded,
            count: record.count.bounded,
            answeredAt: record.answeredAt.bounded,
            pageCount: record.pages.bounded
        )
    }
}
