/// The versions of rows and the keys of conversations that a store remembers between its calls.
extension RecordStore {
    /// Returns the trace of the row at a key in the store, or as it will be after the pending changes are written.
    func current(at key: RowKey, _ pending: PendingChanges) throws(StoreError) -> RowTrace? {
        if let known = pending.traces[key] ?? traces.value(for: key) { return known }
        return try store.row(key.table, key.id).map(RowTrace.init)
    }

    /// Whether `current` can answer without a query to the store.
    func isKnown(_ key: RowKey, _ pending: PendingChanges) -> Bool {
        pending.traces[key] != nil || traces.value(for: key) != nil
    }

    /// Returns the version of the next change of a row.
    ///
    /// A deletion takes a version too, so that the deleted row cannot be put back.
    func nextVersion(
        of key: RowKey,
        _ current: RowTrace?,
        _ pending: PendingChanges
    ) throws(StoreError) -> UInt32 {
        let last = pending.floors[key] ?? floors.value(for: key) ?? current?.version ?? 0
        // One row is never written 2^32 times: another program changed the version, which is not encrypted.
        guard last < .max else { throw StoreError(.tampered, table: key.table, rowID: key.id) }
        return last + 1
    }

    /// Records the row that will be at a key, in the pending traces and in the sums.
    func note(_ trace: RowTrace?, at key: RowKey, after current: RowTrace?, _ pending: inout PendingChanges) {
        pending.traces[key] = .some(trace)
        guard digests != nil, key.table != .digests else { return }
        if let current {
            change(DigestGroup(key.table, current.conversation), &pending) { $0.remove(mark(current, key)) }
        }
        if let trace { change(DigestGroup(key.table, trace.conversation), &pending) { $0.add(mark(trace, key)) } }
    }

    func note(_ pending: PendingChanges) {
        for (key, trace) in pending.traces { traces.set(trace, for: key) }
        for (key, version) in pending.floors { noteFloor(version, of: key) }
        for (conversation, cipher) in pending.openedKeys { openedKeys.set(cipher, for: conversation) }
    }

    func note(_ trace: RowTrace, of key: RowKey) {
        traces.set(trace, for: key)
        noteFloor(trace.version, of: key)
    }

    /// Forgets the versions of all rows.
    func forgetVersions() {
        floors = RecentMap(limit: HistoryLimits.rememberedVersionCount)
        traces = RecentMap(limit: HistoryLimits.recentVersionCount)
    }

    /// Remembers a version; before a first version there is none that could be put back.
    private func noteFloor(_ version: UInt32, of key: RowKey) {
        guard version > 1 else { return }
        floors.set(version, for: key)
    }
}

// MARK: - Conversation keys

extension RecordStore {
    func keyOfKey(_ conversation: RowID) -> RowKey {
        RowKey(table: .keys, id: rowID(.keys, name: conversation.bytes))
    }

    func readingCipher(of row: Row) throws(StoreError) -> any RecordCipher {
        guard let cipher = try storedCipher(of: row.conversation) else {
            throw StoreError(.keyMissing, table: row.table, rowID: row.id)
        }
        return cipher
    }

    /// Returns the cipher of a conversation; at the first message it makes a key and adds it to the same batch.
    func writingCipher(
        of conversation: RowID,
        _ pending: inout PendingChanges
    ) throws(StoreError) -> any RecordCipher {
        if let cipher = pending.openedKeys[conversation] { return cipher }
        if let cipher = try storedCipher(of: conversation) { return cipher }
        let key = keyOfKey(conversation)
        // A second key would make the existing messages look tampered with, and would hide the loss of the first key.
        guard try store.count(.messages, conversation: conversation) == 0 else {
            throw StoreError(.keyMissing, table: key.table, rowID: key.id)
        }
        let (cipher, wrapped) = keys.makeConversationKey(for: conversation)
        try put(wrapped, key, conversation, 0, keys.cipher(for: .keys), &pending)
        pending.openedKeys[conversation] = cipher
        return cipher
    }

    func storedCipher(of conversation: RowID) throws(StoreError) -> (any RecordCipher)? {
        if let cipher = openedKeys.value(for: conversation) { return cipher }
        let key = keyOfKey(conversation)
        guard let record = try get(key.table, id: key.id) else { return nil }
        guard record.conversation == conversation,
            let cipher = keys.conversationKey(unwrapping: record.plaintext, for: conversation)
        else {
            throw StoreError(.tampered, table: key.table, rowID: key.id)
        }
        openedKeys.set(cipher, for: conversation)
        return cipher
    }
}
