import ChatCrypto

/// The conversations of an account, whatever their kind: order, unread messages, read position, timer and mute.
///
/// It reads no store. Its writes are effects that the engine takes when a step ends.
package struct Conversations: Sendable {
    private var records: [ConversationID: ConversationRecord] = [:]
    /// The position of the newest message, if it is known.
    private var newestPositions: [ConversationID: UInt64] = [:]
    /// The conversations that the store has to write or delete.
    private var changed: Set<ConversationID> = []

    /// The state of a conversation; nil if there is none.
    package subscript(id: ConversationID) -> ConversationRecord? { records[id] }

    /// All conversations, in no order.
    package var all: some Collection<ConversationRecord> { records.values }

    /// All conversations, in the order of their names.
    var inOrder: [ConversationRecord] {
        records.values.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
    }

    /// All conversations, the most recently changed first.
    var newestFirst: [ConversationRecord] {
        records.values.sorted { left, right in
            left.changedAt == right.changedAt
                ? right.id.bytes.lexicographicallyPrecedes(left.id.bytes) : left.changedAt > right.changedAt
        }
    }

    /// The request that changed first, if there are as many as ``ChatLimits/requestCount``.
    var evictedRequest: ConversationID? {
        let requests = records.values.filter(\.isRequest)
        guard requests.count >= ChatLimits.requestCount else { return nil }
        let oldest = requests.min { left, right in
            left.changedAt == right.changedAt
                ? left.id.bytes.lexicographicallyPrecedes(right.id.bytes) : left.changedAt < right.changedAt
        }
        return oldest?.id
    }

    // MARK: - Start and end

    /// Restores a conversation from the store.
    mutating func restore(_ record: ConversationRecord) { records[record.id] = record }

    /// Adds an empty conversation that the store need not hold.
    mutating func restore(_ id: ConversationID) { records[id] = records[id] ?? ConversationRecord(id) }

    /// Begins a conversation that an unknown peer starts; it waits for the user.
    mutating func beginRequest(_ id: ConversationID, at wall: UInt64) {
        change(id) { record in
            record.isRequest = true
            record.changedAt = wall
        }
    }

    /// Turns a request into a conversation.
    mutating func accept(_ id: ConversationID) {
        guard records[id]?.isRequest == true else { return }
        change(id) { $0.isRequest = false }
    }

    /// Notes that a conversation has changed, and begins it if there is none.
    mutating func touch(_ id: ConversationID, at wall: UInt64) { change(id) { $0.changedAt = wall } }

    /// Lists a conversation with messages that did not arrive by the mesh.
    ///
    /// - Parameter wall: The time of the newest of them. Units: milliseconds since 1970.
    package mutating func list(_ id: ConversationID, at wall: UInt64) {
        change(id) { $0.changedAt = max($0.changedAt, wall) }
    }

    /// Notes that all messages of a conversation were removed.
    ///
    /// - Parameter isListed: Whether lists still show it.
    mutating func empty(_ id: ConversationID, isListed: Bool) {
        guard records[id] != nil else { return }
        newestPositions[id] = nil
        change(id) { record in
            record.unread = 0
            record.readPosition = 0
            if !isListed { record.changedAt = 0 }
        }
    }

    /// Forgets a conversation.
    mutating func remove(_ id: ConversationID) {
        guard records.removeValue(forKey: id) != nil else { return }
        newestPositions[id] = nil
        changed.insert(id)
    }

    // MARK: - Order

    /// Notes that an own message took the next order number.
    mutating func noteSent(_ id: ConversationID) { change(id) { $0.nextOrder += 1 } }

    /// Notes a message from the peer of a direct conversation.
    ///
    /// - Parameter wall: The time, if it changes the conversation's position in lists. Units: milliseconds since 1970.
    mutating func noteReceived(_ id: ConversationID, at wall: UInt64? = nil) {
        change(id) { record in
            record.received += 1
            record.changedAt = wall ?? record.changedAt
        }
    }

    /// Notes that a message with an order number is shown: the next one is expected.
    mutating func noteShown(_ order: UInt64, in id: ConversationID) {
        guard let record = records[id], record.expectedOrder <= order else { return }
        change(id) { $0.expectedOrder = order + 1 }
    }

    /// Appends a message.
    ///
    /// - Parameter isUnread: Whether the message is unread for the user.
    mutating func append(to id: ConversationID, isUnread: Bool, at wall: UInt64) {
        change(id) { record in
            record.changedAt = wall
            if isUnread { record.unread += 1 }
        }
    }

    // MARK: - Positions

    /// Takes the position after the highest one that is taken.
    ///
    /// - Throws: `homeCorrupt` for a position that only a changed store can have.
    mutating func takePosition(_ id: ConversationID, after highest: UInt64) throws -> UInt64 {
        let position = try ChatEngine.place(after: highest)
        newestPositions[id] = position
        return position
    }

    /// Returns the position of the newest message; nil if it has to be read from the store.
    func newestPosition(_ id: ConversationID) -> UInt64? { newestPositions[id] }

    /// Forgets the position of the newest message, so that it is read again, because other messages may follow it.
    mutating func forgetPosition(_ id: ConversationID) { newestPositions[id] = nil }

    // MARK: - Read position, timer and mute

    /// Returns the timer for new messages of a conversation without a timer of their own.
    func timer(of id: ConversationID) -> DisappearingTimer { records[id]?.timer ?? DisappearingTimer() }

    /// Notes the position up to which the user has read.
    mutating func markRead(_ id: ConversationID, upTo position: UInt64, leaving unread: UInt64) {
        guard records[id] != nil else { return }
        change(id) { record in
            record.unread = min(record.unread, unread)
            record.readPosition = max(record.readPosition, position)
        }
    }

    /// Sets the disappearing-messages timer.
    mutating func setTimer(_ timer: DisappearingTimer, of id: ConversationID) {
        guard records[id] != nil, timer.revision != nil else { return }
        change(id) { $0.timer = timer }
    }

    /// Mutes a conversation.
    mutating func mute(_ id: ConversationID, until wall: UInt64) { change(id) { $0.mutedUntil = wall } }

    /// Copies timer and mute of one conversation to another with the same person.
    mutating func inherit(from old: ConversationID, to new: ConversationID) {
        guard let before = records[old] else { return }
        change(new) { record in
            if record.timer.revision == nil { record.timer = before.timer }
            record.mutedUntil = max(record.mutedUntil, before.mutedUntil)
        }
    }

    // MARK: - Effects

    /// Returns the changed records and clears them: the one to write for each name, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoConversationRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.map { ($0.bytes, records[$0]?.stored) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    private mutating func change(_ id: ConversationID, _ body: (inout ConversationRecord) -> Void) {
        body(&records[id, default: ConversationRecord(id)])
        changed.insert(id)
    }
}
