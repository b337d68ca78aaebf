import ChatCrypto

/// The stored state of a conversation of any kind, besides its messages.
///
/// Source: PROTOCOL §11.
package struct ConversationRecord: Hashable, Sendable {
    /// The conversation's id.
    package let id: ConversationID
    /// Whether a direct conversation waits for the user to accept the peer who began it.
    package var isRequest = false
    /// The order number of the next own message.
    package var nextOrder: UInt64 = 1
    /// The order number expected next from the peer of a direct conversation.
    package var expectedOrder: UInt64 = 1
    /// The number of incoming messages that the user has not read.
    package var unread: UInt64 = 0
    /// The position up to which the user has read.
    package var readPosition: UInt64 = 0
    /// The time of the last change.
    ///
    /// Units: milliseconds since 1970; 0 for a conversation that was erased.
    package var changedAt: UInt64 = 0
    /// The number of all messages received from the peer of a direct conversation.
    package var received: UInt64 = 0
    /// The disappearing-messages timer.
    package var timer = DisappearingTimer()
    /// The end of the time for which the user has muted the conversation.
    ///
    /// Units: milliseconds since 1970; 0 for a conversation that is not muted.
    package var mutedUntil: UInt64 = 0

    /// Makes the record of an empty conversation.
    package init(_ id: ConversationID) { self.id = id }

    /// Reads a stored record; its counters are bounded, so that no sum of them traps.
    ///
    /// - Throws: `homeCorrupt` for a record that names no conversation.
    init(_ stored: ProtoConversationRecord) throws {
        guard let id = ConversationID(bytes: stored.id) else {
            throw ChatError(.homeCorrupt, "A stored conversation cannot be read. \(ChatError.rescue)")
        }
        self.id = id
        isRequest = stored.request && id.group == nil
        nextOrder = stored.nextOrder.bounded
        expectedOrder = stored.expectedOrder.bounded
        unread = stored.unread.bounded
        readPosition = stored.readSequence
        changedAt = stored.changedAt
        received = stored.received.bounded
        let revision = MessageID(bytes: stored.timerID).map { Revision(stored.timerRevision, $0) }
        timer = DisappearingTimer(seconds: stored.timerSeconds, revision)
        mutedUntil = stored.mutedUntil
    }

    /// The record as the store keeps it.
    var stored: ProtoConversationRecord {
        var record = ProtoConversationRecord()
        record.id = .bytes(id.bytes)
        record.request = isRequest
        record.nextOrder = nextOrder
        record.expectedOrder = expectedOrder
        record.unread = unread
        record.readSequence = readPosition
        record.changedAt = changedAt
        record.received = received
        record.timerSeconds = timer.seconds
        record.timerRevision = timer.revision?.number ?? 0
        record.timerID = .bytes(timer.revision?.id.bytes ?? [])
        record.mutedUntil = mutedUntil
        return record
    }
}
