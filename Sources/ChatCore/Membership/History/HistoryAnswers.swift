package import ChatCrypto
package import MeshCore
import SwiftProtobuf

/// The new members that wait for earlier messages, and accounts of those that this node has given them.
///
/// A pure value, bounded by ``EarlierMessageLimits/answerCount`` and ``EarlierMessageLimits/waitingCount``.
package struct HistoryAnswers: Sendable {
    /// A new member of a group.
    package struct NewMember: Hashable, Comparable, Sendable {
        package let group: GroupID
        package let member: PeerID

        package init(group: GroupID, member: PeerID) {
            self.group = group
            self.member = member
        }

        package static func < (left: NewMember, right: NewMember) -> Bool {
            (left.group, left.member) < (right.group, right.member)
        }

        /// The name of its record.
        var name: [UInt8] { group.bytes + member.bytes }
    }

    /// An account of the messages that a new member was given.
    package struct Answer: Hashable, Sendable {
        /// The join epoch of the new member.
        package let joinEpoch: UInt32
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
            joinEpoch: UInt32,
            floor: UInt64 = .max,
            count: UInt32 = 0,
            answeredAt: UInt64,
            pageCount: UInt32 = 0
        ) {
            self.joinEpoch = joinEpoch
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
    private var queue: [NewMember] = []
    private var cursors: [NewMember: HistoryCursor] = [:]
    /// The time from which the next request may be answered.
    private var nextAnswer = MeshInstant.zero

    package init() {}

    /// The time of the next answer.
    package var nextDeadline: MeshInstant { queue.isEmpty ? .distantFuture : nextAnswer }

    package var waitingCount: Int { queue.count }

    package subscript(newMember: NewMember) -> Answer? { entries[newMember.group]?[newMember.member] }

    /// Whether a group has new members that joined after an epoch and were given earlier messages.
    func hasNewMembers(of group: GroupID, since epoch: UInt32) -> Bool {
        entries[group]?.values.contains { $0.joinEpoch > epoch } ?? false
    }

    /// Returns the new members of a group that joined after an epoch and were given earlier messages, in order.
    package func newMembers(to group: GroupID, after epoch: UInt32) -> [NewMember] {
        let members = entries[group, default: [:]].filter { $0.value.joinEpoch > epoch }.keys.sorted()
        return members.map { NewMember(group: group, member: $0) }
    }

    /// Keeps a request until its turn comes; a later one of the same new member replaces it.
    package mutating func wait(_ newMember: NewMember, for cursor: HistoryCursor) {
        guard cursors[newMember] != nil || queue.count < EarlierMessageLimits.waitingCount else { return }
        if cursors.updateValue(cursor, forKey: newMember) == nil { queue.append(newMember) }
    }

    /// Takes the request whose turn it is.
    package mutating func takeDue(at now: MeshInstant) -> (newMember: NewMember, cursor: HistoryCursor)? {
        guard nextAnswer <= now, let first = queue.first, let cursor = cursors.removeValue(forKey: first) else {
            return nil
        }
        queue.removeFirst()
        nextAnswer = now.advanced(by: EarlierMessageLimits.answerInterval)
        return (first, cursor)
    }

    /// Keeps the account of a new member, and returns the one that had to make room.
    package mutating func set(_ answer: Answer, for newMember: NewMember) -> NewMember? {
        var evicted: NewMember?
        if self[newMember] == nil, count >= EarlierMessageLimits.answerCount {
            evicted = all.min { ($0.answer.answeredAt, $0.newMember) < ($1.answer.answeredAt, $1.newMember) }?.newMember
        }
        if let evicted { remove(evicted) }
        if entries[newMember.group, default: [:]].updateValue(answer, forKey: newMember.member) == nil { count += 1 }
        return evicted
    }

    /// Forgets the new members that satisfy a condition, and returns them, in order.
    package mutating func forget(where isGone: (NewMember, Answer) -> Bool) -> [NewMember] {
        let gone = all.filter { isGone($0.newMember, $0.answer) }.map(\.newMember).sorted()
        for newMember in gone { remove(newMember) }
        return gone
    }

    /// Drops the requests of all members of a group, or of one.
    package mutating func cancel(_ group: GroupID, _ member: PeerID? = nil) {
        func isGone(_ newMember: NewMember) -> Bool {
            newMember.group == group && (member == nil || newMember.member == member)
        }
        for newMember in queue where isGone(newMember) { cursors[newMember] = nil }
        queue.removeAll(where: isGone)
    }

    private var all: [(newMember: NewMember, answer: Answer)] {
        entries.flatMap { group, members in
            members.map { (newMember: NewMember(group: group, member: $0.key), answer: $0.value) }
        }
    }

    private mutating func remove(_ newMember: NewMember) {
        guard entries[newMember.group]?.removeValue(forKey: newMember.member) != nil else { return }
        count -= 1
        if entries[newMember.group]?.isEmpty == true { entries[newMember.group] = nil }
    }
}

extension HistoryAnswers.Answer {
    /// Makes the record of the account for the store.
    func record(of newMember: HistoryAnswers.NewMember) -> ProtoAnswerRecord {
        var record = ProtoAnswerRecord()
        record.group = .bytes(newMember.group.bytes)
        record.member = .bytes(newMember.member.bytes)
        record.entrance = joinEpoch
        record.floor = floor
        record.count = count
        record.answeredAt = answeredAt
        record.pages = pageCount
        return record
    }

    init(_ record: ProtoAnswerRecord) {
        self.init(
            joinEpoch: record.entrance,
            floor: record.floor.bounded,
            count: record.count.bounded,
            answeredAt: record.answeredAt.bounded,
            pageCount: record.pages.bounded
        )
    }
}
