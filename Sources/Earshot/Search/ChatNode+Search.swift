public import ChatCore

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

    /// The part of the history that a search would look at now.
    public func searchProgress() async -> SearchProgress {
        var progress = await account.search.progress
        for room in registry.accounts { progress.add(await room.search.progress) }
        return progress
    }

    /// Wipes all texts that were read for searching; the next search reads them anew.
    public func wipeSearch() async { await account.wipeSearch() }
}

extension SearchQuery {
    /// Whether it says what is wanted beside words.
    fileprivate var isNarrowed: Bool {
        conversation != nil || sender != nil || kind != nil || after != nil || before != nil
    }
}
