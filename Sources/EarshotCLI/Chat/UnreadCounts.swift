import EarshotRPC

/// The unread messages of each conversation, and the conversations that were reported to the user.
///
/// A message's event may arrive after an answer that counts the message already. So an event counts for the moment, and
/// the node's own count, requested after the event, corrects it. Only one request at a time is pending, however many
/// messages come.
struct UnreadCounts: Sendable {
    private(set) var counts: [String: Int] = [:]
    /// The conversations that were reported to the user and are still unread.
    private var reported: Set<String> = []
    /// Whether a request after the newest event is pending, and whether another one has to follow it.
    private var (isAsked, isStale) = (false, false)

    /// Counts a message; returns whether to report it to the user, and whether to ask the node.
    mutating func add(in conversation: String) -> (isChange: Bool, asks: Bool) {
        counts[conversation, default: 0] += 1
        defer { (isAsked, isStale) = (true, isAsked) }
        return (reported.insert(conversation).inserted, !isAsked)
    }

    /// Takes over the node's counts.
    mutating func take(_ conversations: [String: ConversationReply], open: String?) {
        counts = conversations.mapValues(\.unread)
        if let open { counts[open] = nil }
        reported = reported.filter { counts[$0, default: 0] > 0 }
    }

    /// Takes over the node's count of one conversation.
    mutating func set(_ count: Int, in conversation: String) {
        counts[conversation] = count
        if count == 0 { reported.remove(conversation) }
    }

    mutating func forget(_ conversation: String) {
        counts[conversation] = nil
        reported.remove(conversation)
    }

    /// Records that the node has answered; returns whether to ask again, because messages arrived in the meantime.
    mutating func settle() -> Bool {
        defer { (isAsked, isStale) = (isStale, false) }
        return isStale
    }
}
