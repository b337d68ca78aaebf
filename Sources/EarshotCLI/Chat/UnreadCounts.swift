import EarshotRPC

/// How many messages of each conversation nobody has looked at, and where that has been told.
///
/// A message's event may come after an answer that counts the message already. So an event counts for the moment, and the
/// node's own count, asked for after the event, corrects it. One question at a time is under way, however many messages come.
struct UnreadCounts: Sendable {
    private(set) var counts: [String: Int] = [:]
    /// Conversations of which the user has been told, until they have been looked at.
    private var told: Set<String> = []
    /// Whether a question after the newest event is under way, and whether one has to follow it.
    private var (isAsked, isStale) = (false, false)

    /// Counts a message; whether the user is to be told, and whether the node is to be asked.
    mutating func add(in conversation: String) -> (isNews: Bool, asks: Bool) {
        counts[conversation, default: 0] += 1
        defer { (isAsked, isStale) = (true, isAsked) }
        return (told.insert(conversation).inserted, !isAsked)
    }

    /// Takes the node's counts for its own.
    mutating func take(_ conversations: [String: ConversationReply], open: String?) {
        counts = conversations.mapValues(\.unread)
        if let open { counts[open] = nil }
        told = told.filter { counts[$0, default: 0] > 0 }
    }

    /// Takes the node's count of one conversation.
    mutating func set(_ count: Int, in conversation: String) {
        counts[conversation] = count
        if count == 0 { told.remove(conversation) }
    }

    mutating func forget(_ conversation: String) {
        counts[conversation] = nil
        told.remove(conversation)
    }

    /// Notes that the node has answered; whether it is to be asked again, because messages have come meanwhile.
    mutating func settle() -> Bool {
        defer { (isAsked, isStale) = (isStale, false) }
        return isStale
    }
}
