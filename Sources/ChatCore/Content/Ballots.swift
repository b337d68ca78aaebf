package import ChatCrypto

/// The votes in one poll, and its end.
///
/// All votes of a member are kept, because the poll's author decides which ones count: the author ends the poll with
/// their message ids, which nobody can invent. Until then a member's last vote counts, or the first one if the poll
/// allows no change. Late, reordered and repeated votes therefore give every member the same result.
package struct Ballots: Hashable, Sendable {
    /// One choice of a member.
    package struct Vote: Hashable, Sendable {
        /// The choice.
        ///
        /// Bit n is option n; 0 for none.
        package let choice: UInt32
        package let revision: Revision

        package init(_ choice: UInt32, _ revision: Revision) {
            self.choice = choice
            self.revision = revision
        }
    }

    /// The end of a poll.
    package struct Close: Hashable, Sendable {
        package let id: MessageID
        /// The ids of the votes that count.
        package let counted: Set<MessageID>

        package init(_ id: MessageID, counting counted: Set<MessageID>) {
            self.id = id
            self.counted = counted
        }
    }

    /// The votes of each member, by ascending numbers, one for each number.
    package private(set) var byMember: [PeerID: [Vote]] = [:]
    /// The end of the poll; of several ends the one with the lowest id.
    package private(set) var close: Close?

    package init() {}

    /// Adds a member's vote.
    package mutating func insert(_ vote: Vote, by member: PeerID) {
        var own = byMember[member] ?? []
        if let known = own.firstIndex(where: { $0.revision.number == vote.revision.number }) {
            guard own[known].revision < vote.revision else { return }
            own.remove(at: known)
        }
        let place = own.firstIndex { vote.revision < $0.revision } ?? own.endIndex
        own.insert(vote, at: place)
        byMember[member] = own
        if byMember.count > ContentLimits.memberCount, let last = byMember.keys.max() { byMember[last] = nil }
    }

    /// Adds the poll's end.
    package mutating func end(_ close: Close) {
        if let known = self.close, known.id <= close.id { return }
        self.close = close
    }

    /// Adds everything of other ballots.
    package mutating func merge(_ other: Ballots) {
        for (member, votes) in other.byMember {
            for vote in votes { insert(vote, by: member) }
        }
        if let close = other.close { end(close) }
    }

    /// Whether a vote arrived too late to count.
    package func isLate(_ vote: MessageID) -> Bool {
        close.map { !$0.counted.contains(vote) } ?? false
    }

    /// Returns the vote of a member that counts; nil if none does.
    package func counted(of member: PeerID, in poll: Poll) -> Vote? {
        let votes = byMember[member] ?? []
        if let close { return votes.last { close.counted.contains($0.revision.id) } }
        return poll.allowsChange ? votes.last : votes.first
    }

    /// Returns the number of a member's next vote; nil if the member has used up all numbers.
    package func nextNumber(of member: PeerID) -> UInt32? {
        let newest = byMember[member]?.last?.revision.number ?? 0
        return newest < ContentLimits.voteCount ? newest + 1 : nil
    }

    /// Returns the members that chose each option, in the options' order.
    package func result(of poll: Poll) -> [[PeerID]] {
        var result = poll.options.map { _ in [PeerID]() }
        for member in byMember.keys.sorted() {
            guard let choice = counted(of: member, in: poll)?.choice else { continue }
            for option in result.indices where choice >> UInt32(option) & 1 == 1 { result[option].append(member) }
        }
        return result
    }
}
