import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging

extension Account {
    /// Finds the newest matching messages; returns them with the progress of the search.
    func search(
        _ query: SearchQuery,
        _ terms: SearchTerms,
        waits: Bool
    ) async throws(ChatError) -> (messages: [Message], progress: SearchProgress) {
        try checkOpen()
        try beginSearch()
        if waits { await searchEnd() }
        try checkOpen()
        return (try await found(terms, query), search.progress)
    }

    /// Wipes all texts that were read.
    func wipeSearch() { search.wipe() }

    /// Returns the newest matching messages of this account's store.
    private func found(_ terms: SearchTerms, _ query: SearchQuery) async throws(ChatError) -> [Message] {
        let filter = SearchFilter(query, in: query.conversation.map(steps.recordStore.rowID(of:)))
        if let conversation = query.conversation, search.isComplete, search.progress.unsearchedCount > 0 {
            return try await scan(conversation, terms, filter, limit: query.limit)
        }
        let ids = search.index.matches(terms, filter)
        return try read { engine in
            var messages: [Message] = []
            for id in ids where messages.count < query.limit {
                if let message = try engine.message(id) { messages.append(message) }
            }
            return messages
        }
    }

    /// Returns the newest matching messages of one conversation, read from the store.
    private func scan(
        _ conversation: ConversationID,
        _ terms: SearchTerms,
        _ filter: SearchFilter,
        limit: Int
    ) async throws(ChatError) -> [Message] {
        var found: [Message] = []
        var before: UInt64?
        repeat {
            try checkOpen()
            let page = try read { [before] engine in
                try engine.history(of: conversation, findsReplies: false)
                    .searchPage(before: before, limit: SearchLimits.stepCount)
            }
            let row = steps.recordStore.rowID(of: conversation)
            found += page.messages.filter { SearchEntry($0, in: row).has(terms, filter) }
            before = page.before
            await Task.yield()
        } while before != nil && found.count < limit
        let ids = found.prefix(limit).map(\.id)
        return try read { engine in try ids.compactMap { try engine.message($0) } }
    }

    // MARK: - Reading

    /// Begins to read all texts into the index, once.
    private func beginSearch() throws(ChatError) {
        guard !search.isActive else { return }
        let (ids, count) = try read { engine in try engine.searchedConversations() }
        search.begin(ids, messageCount: count)
        search.task = environment.run { [weak self] in
            while await self?.readForSearch() == true { await Task.yield() }
        }
    }

    /// Reads a page into the index; returns whether there may be more.
    private func readForSearch() -> Bool {
        guard !isClosed, !Task.isCancelled, let next = search.unread?.last else {
            search.endWaiting()
            return false
        }
        do {
            let page = try read { engine in
                try engine.history(of: next.conversation, findsReplies: false)
                    .searchPage(before: next.before, limit: SearchLimits.stepCount)
            }
            let row = steps.recordStore.rowID(of: next.conversation)
            let entries = page.messages.map { SearchEntry($0, in: row) }
            search.take(entries, count: page.count, before: page.before)
        } catch {
            configuration.logger.error("a conversation cannot be searched", metadata: ["reason": "\(error.reason)"])
            search.skip()
        }
        return true
    }

    /// Waits until all texts have been read.
    private func searchEnd() async {
        guard search.isActive, !search.isComplete else { return }
        await withCheckedContinuation { search.waiting.append($0) }
    }

    /// Updates the index after messages became durable.
    func followSearch(_ messages: [RowName], destroyed: [ConversationID]) {
        guard search.isActive else { return }
        for conversation in destroyed { search.removeAll(of: steps.recordStore.rowID(of: conversation)) }
        for id in messages.compactMap({ MessageID(bytes: $0.bytes) }) {
            let message = try? read { engine in try engine.message(id) }
            let entry = (message ?? nil).map { SearchEntry($0, in: steps.recordStore.rowID(of: $0.conversation)) }
            search.update(id, to: entry)
        }
    }
}

extension SearchFilter {
    fileprivate init(_ query: SearchQuery, in conversation: RowID?) {
        self.conversation = conversation
        sender = query.sender
        kind = query.kind
        let first = query.after.map { Timestamp($0).milliseconds } ?? 0
        times = first..<max(first, query.before.map { Timestamp($0).milliseconds } ?? .max)
    }
}
