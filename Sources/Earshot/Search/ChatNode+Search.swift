public import ChatCore
import ChatCrypto
import ChatHistory
import Foundation
import Logging

extension ChatNode {
    /// Finds messages, in rooms too.
    ///
    /// The first search reads all texts into memory, a page at a time, while the node goes on; from then on they are kept in
    /// step with what comes, is edited, deleted, or gone with its time. `stop()` and ``wipeSearch()`` wipe them.
    ///
    /// - Parameters:
    ///   - query: What is to be found.
    ///   - waits: Whether to wait until everything has been read; else the answer is what is found so far.
    /// - Returns: The newest messages that fit, and how much was looked at.
    /// - Throws: `empty` where there is nothing to look for, `tooLarge`, `badCount`, `stopped`, `expired` for a room that
    ///   is over, or what the store refuses.
    public func search(_ query: SearchQuery, waits: Bool = true) async throws(ChatError) -> SearchResult {
        try checkRunning()
        let terms = try SearchTerms(query.text)
        guard (1...SearchLimits.hitCount).contains(query.limit) else {
            throw ChatError(.badCount, "A search answers 1 to \(SearchLimits.hitCount) messages.")
        }
        guard !terms.needles.isEmpty || query.isNarrowed else {
            throw ChatError(.empty, "There is nothing to search for: give a word, or say whose messages are wanted.")
        }
        if let conversation = query.conversation, let room = try await room(conversation) {
            return try await room.search(query, waits: waits)
        }
        try beginSearch()
        if waits { await searchEnd() }
        try checkRunning()
        var messages = try await found(terms, query)
        var progress = search.progress
        if query.conversation == nil {
            for number in shelf.numbers {
                // A room that ends meanwhile has nothing more to be found.
                guard let result = try? await shelf[number]?.node.search(query, waits: waits) else { continue }
                messages += result.hits.map(\.message)
                progress.add(result.progress)
            }
        }
        messages.sort { ($0.shownAt, $0.id) > ($1.shownAt, $1.id) }
        let hits = messages.prefix(query.limit).map { SearchHit(message: $0, places: terms.places(in: $0.text)) }
        return SearchResult(hits: hits, progress: progress)
    }

    /// How much of the history a search would look at now.
    public func searchProgress() async -> SearchProgress {
        var progress = search.progress
        for number in shelf.numbers {
            if let node = shelf[number]?.node { progress.add(await node.searchProgress()) }
        }
        return progress
    }

    /// Wipes all texts that were read for searching; the next search reads them anew.
    public func wipeSearch() {
        search.wipe()
    }

    // MARK: - Finding

    /// The newest messages of this node's own store that fit.
    private func found(_ terms: SearchTerms, _ query: SearchQuery) async throws(ChatError) -> [Message] {
        let filter = SearchFilter(query, in: query.conversation.map(steps.book.rowID(of:)))
        if let conversation = query.conversation, search.isComplete, search.progress.unsearchedCount > 0 {
            return try await scan(conversation, terms, filter, limit: query.limit)
        }
        let ids = search.index.matches(terms, filter)
        return try look { engine, transaction in
            var messages: [Message] = []
            for id in ids where messages.count < query.limit {
                if let message = try engine.message(id, in: transaction) { messages.append(message) }
            }
            return messages
        }
    }

    /// The same of one conversation, read from the store.
    private func scan(
        _ conversation: ConversationID,
        _ terms: SearchTerms,
        _ filter: SearchFilter,
        limit: Int
    ) async throws(ChatError) -> [Message] {
        var found: [Message] = []
        var before: UInt64?
        repeat {
            try checkRunning()
            let page = try look { engine, transaction in
                try engine.searchPage(
                    of: conversation,
                    before: before,
                    limit: SearchLimits.stepCount,
                    in: transaction
                )
            }
            let row = steps.book.rowID(of: conversation)
            found += page.messages.filter { SearchEntry($0, in: row).has(terms, filter) }
            before = page.before
            await Task.yield()
        } while before != nil && found.count < limit
        let ids = found.prefix(limit).map(\.id)
        return try look { engine, transaction in try ids.compactMap { try engine.message($0, in: transaction) } }
    }

    // MARK: - Reading

    /// Begins to read all texts, once.
    private func beginSearch() throws(ChatError) {
        guard !search.isActive else { return }
        let (ids, count) = try look { engine, transaction in try engine.searchedConversations(in: transaction) }
        search.begin(ids, messageCount: count)
        search.task = Task { [weak self] in
            while await self?.readForSearch() == true { await Task.yield() }
        }
    }

    /// Reads a page; answers whether there is more.
    private func readForSearch() -> Bool {
        guard !isStopped, !Task.isCancelled, let next = search.unread?.last else {
            search.endWaiting()
            return false
        }
        do {
            let page = try look { engine, transaction in
                try engine.searchPage(
                    of: next.conversation,
                    before: next.before,
                    limit: SearchLimits.stepCount,
                    in: transaction
                )
            }
            let row = steps.book.rowID(of: next.conversation)
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

    /// Keeps what was read in step with what has become durable.
    func followSearch(_ messages: [RowName], destroyed: [ConversationID]) {
        guard search.isActive else { return }
        for conversation in destroyed { search.removeAll(of: steps.book.rowID(of: conversation)) }
        for id in messages.compactMap({ MessageID(bytes: $0.bytes) }) {
            let entry = try? look { engine, transaction in
                try engine.message(id, in: transaction).map {
                    SearchEntry($0, in: steps.book.rowID(of: $0.conversation))
                }
            }
            search.update(id, to: entry ?? nil)
        }
    }
}

extension SearchQuery {
    /// Whether it says what is wanted beside words.
    fileprivate var isNarrowed: Bool {
        conversation != nil || sender != nil || kind != nil || after != nil || before != nil
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
