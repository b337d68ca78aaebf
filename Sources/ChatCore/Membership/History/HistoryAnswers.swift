package import ChatCrypto
package import MeshCore
import SwiftProtobuf

/// The new members that wait for earlier messages, and accounts of those that this node has given them.
///
/// A pure value, bounded by ``NewcomerLimits/answerCount`` and ``NewcomerLimits/waitingCount``.
package struct HistoryAnswers: Sendable {
    /// A new member of a group.
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

    /// An account of the messages that a new member was given.
    package struct Answer: Hashable, Sendable {
        /// The join epoch of the new member.
        package let entrance: UInt32
        /// The lowest position that it was given; messages below were not given yet, or are not for it.
        package var floor: UInt64
        /// The number of messages.
        package var count: UInt32
        /// The time of the last page that it requested.
        ///
        /// Units: milliseconds since 1970.
        package var answeredAt: UInt64
        /// The number of pages.
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

    private var entries: [GroupID: [PeerID: Answer]] = [:]
    /// The number of new members with an account.
    package private(set) var count = 0
    /// The new members that wait, in the order of their requests.
    private var queue: [Newcomer] = []
    private var cursors: [Newcomer: HistoryCursor] = [:]
    /// The time from which the next request may be answered.
    private var nextAnswer = MeshInstant.zero

    package init() {}

    /// The time of the next answer.
    package var nextDeadline: MeshInstant { queue.isEmpty ? .distantFuture : nextAnswer }

    package var waitingCount: Int { queue.count }

    package subscript(newcomer: Newcomer) -> Answer? { entries[newcomer.group]?[newcomer.member] }

    /// Whether a group has new members that joined after an epoch and were given earlier messages.
    func hasNewMembers(of group: GroupID, since epoch: UInt32) -> Bool {
        entries[group]?.values.contains { $0.entrance > epoch } ?? false
    }

    /// Returns the new members of a group that joined after an epoch and were given earlier messages, in order.
    package func newcomers(to group: GroupID, after epoch: UInt32) -> [Newcomer] {
        let members = entries[group, default: [:]].filter { $0.value.entrance > epoch }.keys.sorted()
        return members.map { Newcomer(group: group, member: $0) }
    }

    /// Keeps a request until its turn comes; a later one of the same new member replaces it.
    package mutating func wait(_ newcomer: Newcomer, for cursor: HistoryCursor) {
        guard cursors[newcomer] != nil || queue.count < NewcomerLimits.waitingCount else { return }
        if cursors.updateValue(cursor, forKey: newcomer) == nil { queue.append(newcomer) }
    }

    /// Takes the request whose turn it is.
    package mutating func takeDue(at now: MeshInstant) -> (newcomer: Newcomer, cursor: HistoryCursor)? {
        guard nextAnswer <= now, let first = queue.first, let cursor = cursors.removeValue(forKey: first) else {
            return nil
        }
        queue.removeFirst()
        nextAnswer = now.advanced(by: NewcomerLimits.answerInterval)
        return (first, cursor)
    }

    /// Keeps the account of a new member, and returns the one that had to make room.
    package mutating func set(_ answer: Answer, for newcomer: Newcomer) -> Newcomer? {
        var crowdedOut: Newcomer?
        if self[newcomer] == nil, count >= NewcomerLimits.answerCount {
            crowdedOut = all.min { ($0.answer.answeredAt, $0.newcomer) < ($1.answer.answeredAt, $1.newcomer) }?.newcomer
        }
        if let crowdedOut { remove(crowdedOut) }
        if entries[newcomer.group, default: [:]].updateValue(answer, forKey: newcomer.member) == nil { count += 1 }
        return crowdedOut
    }

    /// Forgets the new members that satisfy a condition, and returns them, in order.
    package mutating func forget(where isGone: (Newcomer, Answer) -> Bool) -> [Newcomer] {
        let gone = all.filter { isGone($0.newcomer, $0.answer) }.map(\.newcomer).sorted()
        for newcomer in gone { remove(newcomer) }
        return gone
    }

    /// Drops the requests of all members of a group, or of one.
    package mutating func cancel(_ group: GroupID, _ member: PeerID? = nil) {
        func isGone(_ newcomer: Newcomer) -> Bool {
            newcomer.group == group && (member == nil || newcomer.member == member)
        }
        for newcomer in queue where isGone(newcomer) { cursors[newcomer] = nil }
        queue.removeAll(where: isGone)
    }

    private var all: [(newcomer: Newcomer, answer: Answer)] {
        entries.flatMap { group, members in
            members.map { (newcomer: Newcomer(group: group, member: $0.key), answer: $0.value) }
        }
    }

    private mutating func remove(_ newcomer: Newcomer) {
        guard entries[newcomer.group]?.removeValue(forKey: newcomer.member) != nil else { return }
        count -= 1
        if entries[newcomer.group]?.isEmpty == true { entries[newcomer.group] = nil }
    }
}

extension HistoryAnswers.Answer {
    /// Makes the record of the account for the store.
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
