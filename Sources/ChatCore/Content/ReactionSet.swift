package import ChatCrypto

/// The emoji that members put on one message.
///
/// The set keeps the last changed emoji of each member, each in its highest revision. The same reactions give the same
/// set in any order and with any repetition: the set keeps the greatest of all, and an emoji that was crowded out stays
/// below the emoji that crowded it out.
package struct ReactionSet: Hashable, Sendable {
    /// The last state of a member's emoji.
    package struct Reaction: Hashable, Sendable {
        package let emoji: String
        /// Whether it is on the message; false after its removal.
        package let isOn: Bool
        package let revision: Revision

        package init(_ emoji: String, isOn: Bool = true, _ revision: Revision) {
            self.emoji = emoji
            self.isOn = isOn
            self.revision = revision
        }
    }

    /// The reactions of each member, the newest first, one for each emoji.
    package private(set) var byMember: [PeerID: [Reaction]] = [:]

    package init() {}

    /// Adds a member's reaction.
    package mutating func insert(_ reaction: Reaction, by member: PeerID) {
        var own = byMember[member] ?? []
        if let known = own.firstIndex(where: { $0.emoji == reaction.emoji }) {
            guard own[known].revision < reaction.revision else { return }
            own.remove(at: known)
        }
        let place = own.firstIndex { $0.revision < reaction.revision } ?? own.endIndex
        own.insert(reaction, at: place)
        byMember[member] = Array(own.prefix(ContentLimits.reactionCount))
        if byMember.count > ContentLimits.memberCount, let last = byMember.keys.max() { byMember[last] = nil }
    }

    /// Adds everything of another set.
    package mutating func merge(_ other: ReactionSet) {
        for (member, reactions) in other.byMember {
            for reaction in reactions { insert(reaction, by: member) }
        }
    }

    /// Whether a member's emoji is on the message.
    package func has(_ emoji: String, by member: PeerID) -> Bool {
        byMember[member]?.contains { $0.emoji == emoji && $0.isOn } ?? false
    }

    /// Returns the number of a member's next reaction; nil if the member has used up all numbers.
    package func nextNumber(of member: PeerID) -> UInt32? {
        let newest = byMember[member]?.first?.revision.number ?? 0
        return newest < .max ? newest + 1 : nil
    }

    /// The emoji on the message, by their bytes, each with its members.
    package var shown: [(emoji: String, members: [PeerID])] {
        var members: [String: [PeerID]] = [:]
        for (member, reactions) in byMember {
            for reaction in reactions where reaction.isOn { members[reaction.emoji, default: []].append(member) }
        }
        return members.map { ($0, $1.sorted()) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }
}
