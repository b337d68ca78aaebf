import ChatCrypto
import MeshCore

/// The typing indicators of this node and of peers, which are never stored.
///
/// Bounded by ``ContentLimits/typingCount`` each way; the oldest makes room.
struct TypingIndicators: Sendable {
    private struct Sign {
        let conversation: ConversationID
        /// The peer; nil for an indicator that this node sends, which counts for the whole conversation.
        var peer: PeerID?
        var isTyping = true
        let at: MeshInstant

        func hasPlace(of other: Sign) -> Bool { conversation == other.conversation && peer == other.peer }
    }

    /// The indicators of each direction, the oldest first.
    private var discovered: [Sign] = [] {
        didSet { nextDeadline = discovered.lazy.filter(\.isTyping).map(Self.end).min() ?? .distantFuture }
    }
    /// The time at which a peer's indicator is over without another one.
    private(set) var nextDeadline = MeshInstant.distantFuture
    private var sent: [Sign] = []
    /// The indicators that wait for a path.
    private var waiting: [Sign] = []

    /// Notes an indicator to a conversation; returns whether it has to be sent: the first one, a change after
    /// ``ContentLimits/typingPause``, or a repetition after ``ContentLimits/typingInterval``.
    mutating func sends(_ isTyping: Bool, to conversation: ConversationID, at now: MeshInstant) -> Bool {
        Self.take(Sign(conversation: conversation, isTyping: isTyping, at: now), into: &sent)
    }

    /// Notes a peer's indicator; returns whether it has to be reported, by the same rule as for sending.
    mutating func receives(_ isTyping: Bool, from peer: PeerID, in place: ConversationID, at now: MeshInstant) -> Bool {
        Self.take(Sign(conversation: place, peer: peer, isTyping: isTyping, at: now), into: &discovered)
    }

    /// Returns the peers that are typing in a conversation, in the order in which they began.
    func peers(in conversation: ConversationID, at now: MeshInstant) -> [PeerID] {
        discovered.filter { $0.conversation == conversation && $0.isTyping && Self.end(of: $0) > now }.compactMap(
            \.peer
        )
    }

    /// Removes the indicators that are over, and returns them.
    mutating func expire(at now: MeshInstant) -> [(conversation: ConversationID, peer: PeerID)] {
        guard nextDeadline <= now else { return [] }
        let over = discovered.filter { $0.isTyping && Self.end(of: $0) <= now }
        discovered.removeAll { $0.isTyping && Self.end(of: $0) <= now }
        return over.compactMap { sign in sign.peer.map { (sign.conversation, $0) } }
    }

    /// Removes the indicator of a peer whose message has arrived; what comes next is shown at once.
    mutating func end(of peer: PeerID, in conversation: ConversationID) {
        discovered.removeAll { $0.peer == peer && $0.conversation == conversation && $0.isTyping }
    }

    private static func end(of sign: Sign) -> MeshInstant { sign.at.advanced(by: ContentLimits.typingLife) }

    /// Keeps an indicator until there is a path.
    mutating func wait(for peer: PeerID, in conversation: ConversationID, at now: MeshInstant) {
        Self.put(Sign(conversation: conversation, peer: peer, at: now), into: &waiting)
    }

    /// Takes the indicators that have waited for a path to a peer, except expired ones.
    mutating func takeWaiting(for peer: PeerID, at now: MeshInstant) -> [ConversationID] {
        let signs = waiting.filter { $0.peer == peer }
        waiting.removeAll { $0.peer == peer }
        return signs.filter { $0.at.advanced(by: ContentLimits.typingLife) > now }.map(\.conversation)
    }

    private static func take(_ sign: Sign, into signs: inout [Sign]) -> Bool {
        if let last = signs.first(where: sign.hasPlace) {
            let isChange = last.isTyping != sign.isTyping
            let pause = isChange ? ContentLimits.typingPause : ContentLimits.typingInterval
            guard last.at.advanced(by: pause) <= sign.at else { return false }
        }
        put(sign, into: &signs)
        return true
    }

    private static func put(_ sign: Sign, into signs: inout [Sign]) {
        signs.removeAll(where: sign.hasPlace)
        if signs.count >= ContentLimits.typingCount { signs.removeFirst() }
        signs.append(sign)
    }
}
