package import ChatCrypto
package import MeshCore

/// Who is to be told that somebody types here, and who said so: nothing of it is ever stored.
///
/// Bounded by ``ContentLimits/typingCount`` each way; the oldest makes room.
package struct TypingSigns: Sendable {
    /// Where a sign belongs: of one peer in one conversation; what leaves is counted for the whole conversation.
    private struct Place: Hashable {
        let conversation: ConversationID
        let peer: PeerID?
    }

    private struct Sign {
        let place: Place
        let isTyping: Bool
        let at: MeshInstant
    }

    /// Oldest first.
    private var heard: [Sign] = []
    private var sent: [Sign] = []
    /// Signs that wait for a path.
    private var waiting: [Sign] = []

    package init() {}

    /// Whether a sign to a conversation is to leave: a new one, or one that holds no longer soon.
    package mutating func sends(_ isTyping: Bool, to conversation: ConversationID, at now: MeshInstant) -> Bool {
        let place = Place(conversation: conversation, peer: nil)
        return Self.take(Sign(place: place, isTyping: isTyping, at: now), into: &sent)
    }

    /// Whether a peer's sign tells something new.
    package mutating func hears(
        _ isTyping: Bool,
        from peer: PeerID,
        in conversation: ConversationID,
        at now: MeshInstant
    ) -> Bool {
        let place = Place(conversation: conversation, peer: peer)
        return Self.take(Sign(place: place, isTyping: isTyping, at: now), into: &heard)
    }

    /// Keeps a sign until there is a path.
    package mutating func wait(
        _ isTyping: Bool,
        for peer: PeerID,
        in conversation: ConversationID,
        at now: MeshInstant
    ) {
        let place = Place(conversation: conversation, peer: peer)
        Self.put(Sign(place: place, isTyping: isTyping, at: now), into: &waiting)
    }

    /// The signs that have waited for a path to a peer, but for those that hold no longer.
    package mutating func takeWaiting(
        for peer: PeerID,
        at now: MeshInstant
    ) -> [(conversation: ConversationID, isTyping: Bool)] {
        let signs = waiting.filter { $0.place.peer == peer }
        waiting.removeAll { $0.place.peer == peer }
        return signs.filter { $0.at.advanced(by: ContentLimits.typingLife) > now }
            .map { ($0.place.conversation, $0.isTyping) }
    }

    private static func take(_ sign: Sign, into signs: inout [Sign]) -> Bool {
        if let last = signs.first(where: { $0.place == sign.place }) {
            let isChange = last.isTyping != sign.isTyping
            let pause = isChange ? ContentLimits.typingPause : ContentLimits.typingInterval
            guard last.at.advanced(by: pause) <= sign.at else { return false }
        }
        put(sign, into: &signs)
        return true
    }

    private static func put(_ sign: Sign, into signs: inout [Sign]) {
        signs.removeAll { $0.place == sign.place }
        if signs.count >= ContentLimits.typingCount { signs.removeFirst() }
        signs.append(sign)
    }
}
