import ChatCrypto

/// The user's settings of conversations on this node: drafts, pins, and limits of what is kept.
///
/// The engine writes what ``takeChanges()`` names. Source: PROTOCOL §11.
struct ConversationSettings: Sendable {
    /// The settings of one conversation.
    struct Record: Hashable, Sendable {
        /// The text that the user has begun to write; empty for none.
        var draft = ""
        /// The time at which the user pinned the conversation.
        ///
        /// Units: milliseconds since 1970; 0 for a conversation that is not pinned.
        var pinnedAt: UInt64 = 0
        /// The conversation's own limits; nil if those of all conversations apply.
        var retention: Retention?
    }

    private var records: [ConversationID: Record] = [:]
    /// The limits of conversations that have none of their own.
    private(set) var generalRetention = Retention.everything
    /// The conversations whose settings the store does not have yet; nil is the limits of all.
    private var changed: Set<ConversationID?> = []

    // MARK: - Reading

    /// Returns the settings of a conversation.
    subscript(conversation: ConversationID) -> Record { records[conversation] ?? Record() }

    /// Returns the limits that apply to a conversation.
    func retention(of conversation: ConversationID) -> Retention {
        records[conversation]?.retention ?? generalRetention
    }

    // MARK: - Changing

    /// Keeps a draft; an empty text removes it.
    mutating func setDraft(_ text: String, of conversation: ConversationID) {
        change(conversation) { $0.draft = text }
    }

    /// Pins a conversation at a time, or unpins it with 0.
    mutating func setPin(_ time: UInt64, of conversation: ConversationID) {
        change(conversation) { $0.pinnedAt = time }
    }

    /// Limits a conversation, or all that have no limits of their own; nil removes a conversation's own limits.
    mutating func setRetention(_ retention: Retention?, of conversation: ConversationID?) {
        if let conversation { return change(conversation) { $0.retention = retention } }
        generalRetention = retention ?? .everything
        changed.insert(nil)
    }

    /// Forgets the settings of a conversation.
    mutating func forget(_ conversation: ConversationID) {
        change(conversation) { $0 = Record() }
    }

    private mutating func change(_ conversation: ConversationID, _ body: (inout Record) -> Void) {
        var record = self[conversation]
        let before = record
        body(&record)
        guard record != before else { return }
        records[conversation] = record == Record() ? nil : record
        changed.insert(conversation)
    }

    // MARK: - Storing

    /// Restores a stored record.
    ///
    /// - Throws: `homeCorrupt` for a record whose name is not that of a conversation.
    mutating func restore(_ stored: ProtoWishRecord) throws {
        let retention = Retention(stored)
        guard !stored.conversation.isEmpty else { return generalRetention = retention }
        guard let conversation = ConversationID(bytes: stored.conversation) else {
            throw ChatError(.homeCorrupt, "The stored settings of a conversation cannot be read. \(ChatError.rescue)")
        }
        let own = stored.limited ? retention : nil
        records[conversation] = Record(draft: stored.draft, pinnedAt: stored.pinnedAt, retention: own)
    }

    /// Returns the changed settings and clears them: the record to write for each conversation, nil for one to delete.
    mutating func takeChanges() -> [(name: [UInt8], record: ProtoWishRecord?)] {
        guard !changed.isEmpty else { return [] }
        defer { changed = [] }
        return changed.map { conversation in (conversation?.bytes ?? Self.generalName, stored(conversation)) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    private static let generalName = Array("all".utf8)

    private func stored(_ conversation: ConversationID?) -> ProtoWishRecord? {
        var stored = ProtoWishRecord()
        guard let conversation else {
            generalRetention.write(to: &stored)
            return stored
        }
        guard let record = records[conversation] else { return nil }
        stored.conversation = .bytes(conversation.bytes)
        stored.draft = record.draft
        stored.pinnedAt = record.pinnedAt
        stored.limited = record.retention != nil
        record.retention?.write(to: &stored)
        return stored
    }
}
