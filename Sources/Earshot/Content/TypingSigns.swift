package import ChatCrypto
package import MeshCore

/// Who is to be told that somebody types here, and who said so: nothing of it is ever stored.
///
/// Bounded by ``ContentLimits/typingCount`` both ways; the oldest makes room.
package struct TypingSigns: Sendable {
    private struct Sign {
        let peer: PeerID
        let isTyping: Bool
        let at: MeshInstant
    }

    /// Oldest first.
    private var heard: [Sign] = []
    private var sent: [Sign] = []
    /// Signs that wait for a path.
    private var waiting: [Sign] = []

    package init() {}

    /// Whether a sign to a peer is to leave: a new one, or one that holds no longer soon.
    package mutating func sends(_ isTyping: Bool, to peer: PeerID, at now: MeshInstant) -> Bool {
        Self.take(Sign(peer: peer, isTyping: isTyping, at: now), into: &sent)
    }

    /// Whether a peer's sign tells something new.
    package mutating func hears(_ isTyping: Bool, from peer: PeerID, at now: MeshInstant) -> Bool {
        Self.take(Sign(peer: peer, isTyping: isTyping, at: now), into: &heard)
    }

    /// Keeps a sign until there is a path.
    package mutating func wait(_ isTyping: Bool, for peer: PeerID, at now: MeshInstant) {
        Self.put(Sign(peer: peer, isTyping: isTyping, at: now), into: &waiting)
    }

    /// The sign that has waited for a path to a peer, unless it holds no longer.
    package mutating func takeWaiting(for peer: PeerID, at now: MeshInstant) -> Bool? {
        guard let index = waiting.firstIndex(where: { $0.peer == peer }) else { return nil }
        let sign = waiting.remove(at: index)
        return sign.at.advanced(by: ContentLimits.typingLife) > now ? sign.isTyping : nil
    }

    private static func take(_ sign: Sign, into signs: inout [Sign]) -> Bool {
        if let last = signs.first(where: { $0.peer == sign.peer }) {
            let isChange = last.isTyping != sign.isTyping
            let pause = isChange ? ContentLimits.typingPause : ContentLimits.typingInterval
            guard last.at.advanced(by: pause) <= sign.at else { return false }
        }
        put(sign, into: &signs)
        return true
    }

    private static func put(_ sign: Sign, into signs: inout [Sign]) {
        signs.removeAll { $0.peer == sign.peer }
        if signs.count >= ContentLimits.typingCount { signs.removeFirst() }
        signs.append(sign)
    }
}
