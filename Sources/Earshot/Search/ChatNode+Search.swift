public import ChatCore

extension ChatNode {
    /// Finds messages, also in rooms.
    ///
    /// The first search reads all texts into memory, a page at a time, while the node goes on. From then on the texts
    /// are kept up to date when messages come, are edited or deleted, or disappear. `stop()` and ``wipeSearch()`` wipe
    /// them.
    ///
    /// - Parameters:
    ///   - query: The words and the other conditions.
    ///   - waits: Whether to wait until everything has been read; else the answer has what is found so far.
    /// - Returns: The newest matching messages, and the part of the history that was searched.
    /// - Throws: `empty` if there is nothing to search for, `tooLarge`, `badCount`, `stopped`, `expired` for a room
    ///   that is over, or the store's error.
    public func search(_ query: SearchQuery, waits: Bool = true) async throws(ChatError) -> SearchResult {
        try checkRunning()
        let terms = try SearchTerms(query.text)
        guard (1...SearchLimits.hitCount).contains(query.limit) else {
            throw ChatError(.badCount, "A search returns 1 to \(SearchLimits.hitCount) messages.")
        }
        guard !terms.needles.isEmpty || query.isNarrowed else {
            throw ChatError(.empty, "The search is empty. Give a word or a sender.")
        }
        var (messages, progress) = try await account(ofAny: query.conversation).search(query, terms, waits: waits)
        if query.conversation == nil {
            for room in registry.accounts {
                // A room that ends meanwhile has nothing more to be found.
                guard let found = try? await room.search(query, terms, waits: waits) else { continue }
                messages += found.messages
                progress.add(found.progress)
            }
        }
        messages.sort { ($0.shownAt, $0.id) > ($1.shownAt, $1.id) }
        let hits = messages.prefix(query.limit).map { SearchHit(message: $0, places: terms.places(in: $0.text)) }
        return SearchResult(hits: hits, progress: progress)
    }

    /// Returns the part of the history that a search would cover now.
    public func searchProgress() async -> SearchProgress {
        var progress = await account.search.progress
        for room in registry.accounts { progress.add(await room.search.progress) }
        return progress
    }

    /// Wipes all texts that were read for searching; the next search reads them again.
    public func wipeSearch() async { await account.wipeSearch() }
}

extension SearchQuery {
    /// Whether the query has other conditions than words.
    fileprivate var isNarrowed: Bool {
        conversation != nil || sender != nil || kind != nil || after != nil || before != nil
    }
}
