import EarshotRPC

@testable import Earshot

extension ScriptedNode {
    func search(_ query: SearchQuery, waits: Bool) throws(ChatError) -> SearchResult {
        let all = try history(.direct(status.id), limit: query.limit, before: nil)
        let hits = all.filter { $0.text.contains(query.text) && ($0.kind == query.kind ?? $0.kind) }
        return SearchResult(hits: hits.map { SearchHit(message: $0, places: [0..<2]) }, progress: searchProgress())
    }

    func searchProgress() -> SearchProgress {
        SearchProgress(indexedCount: 2, messageCount: 3, isComplete: false, unsearchedCount: 1)
    }
}
