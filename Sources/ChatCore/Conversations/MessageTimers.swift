package import ChatCrypto

/// Which messages go when.
///
/// A message's time runs from being read. Bounded by ``ContentLimits/timerCount``: beyond it the message whose time is
/// over first goes at once, of the conversation that has one more, for a promise to forget is kept too soon rather than never.
package struct MessageTimers: Sendable {
    package struct Entry: Sendable, Equatable {
        package let id: MessageID
        package let conversation: ConversationID
        /// The message's place in its conversation.
        package let sequence: UInt64
        package let seconds: UInt32
        /// Units: milliseconds since 1970; nil while nobody has read it.
        package var expiresAt: UInt64?

        package init(
            id: MessageID,
            conversation: ConversationID,
            sequence: UInt64,
            seconds: UInt32,
            expiresAt: UInt64? = nil
        ) {
            self.id = id
            self.conversation = conversation
            self.sequence = sequence
            self.seconds = seconds
            self.expiresAt = expiresAt
        }

        fileprivate var end: (UInt64, UInt64, MessageID) { (expiresAt ?? .max, sequence, id) }
    }

    private var entries: [MessageID: Entry] = [:]
    /// When the first message goes.
    ///
    /// Units: milliseconds since 1970.
    package private(set) var next: UInt64?

    package init() {}

    package var count: Int { entries.count }

    package subscript(id: MessageID) -> Entry? { entries[id] }

    package mutating func set(_ entry: Entry) {
        remove(entry.id)
        entries[entry.id] = entry
        if let end = entry.expiresAt { next = min(next ?? .max, end) }
    }

    package mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id), let end = entry.expiresAt, end == next else { return }
        next = entries.values.compactMap(\.expiresAt).min()
    }

    /// The messages whose time is over, in the order in which it was.
    package func due(at wall: UInt64) -> [MessageID] {
        guard let next, next <= wall else { return [] }
        return entries.values.filter { $0.expiresAt ?? .max <= wall }.sorted { $0.end < $1.end }.map(\.id)
    }

    /// The message that has to make room for one more of a conversation; nil while there is room.
    package func crowdedOut(by conversation: ConversationID) -> MessageID? {
        guard entries.count >= ContentLimits.timerCount else { return nil }
        let own = entries.values.lazy.filter { $0.conversation == conversation }.min { $0.end < $1.end }
        return (own ?? entries.values.min { $0.end < $1.end })?.id
    }

    /// The messages of a conversation up to a place whose time has not begun, by their places.
    package func waiting(in conversation: ConversationID, upTo sequence: UInt64) -> [Entry] {
        entries.values.filter { $0.conversation == conversation && $0.expiresAt == nil && $0.sequence <= sequence }
            .sorted { $0.sequence < $1.sequence }
    }

    /// All messages of a conversation.
    package func all(in conversation: ConversationID) -> [MessageID] {
        entries.values.filter { $0.conversation == conversation }.map(\.id).sorted()
    }
}
