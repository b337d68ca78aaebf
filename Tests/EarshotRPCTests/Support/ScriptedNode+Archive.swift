import EarshotRPC
import Foundation

@testable import Earshot

extension ScriptedNode {
    func search(_ query: SearchQuery, waits: Bool) throws(ChatError) -> SearchResult {
        let all = try history(.direct(status.id), limit: query.limit, within: HistorySpan())
        let hits = all.filter { $0.text.contains(query.text) && ($0.kind == query.kind ?? $0.kind) }
        return SearchResult(hits: hits.map { SearchHit(message: $0, places: [0..<2]) }, progress: searchProgress())
    }

    func searchProgress() -> SearchProgress {
        SearchProgress(indexedCount: 2, messageCount: 3, isComplete: false, unsearchedCount: 1)
    }

    func exportHistory(to place: URL, _ options: ExportOptions) throws(ChatError) -> ExportReport {
        guard options.passphrase != nil else { throw ChatError(.fileUnusable, "\(place.path) exists already.") }
        return ExportReport(
            conversationCount: 1,
            messageCount: options.format == .jsonl ? 2 : 3,
            fileCount: options.conversation == nil ? 4 : 5,
            disappearingCount: 6,
            missingFileCount: 7
        )
    }

    func importHistory(from place: URL, passphrase: String?) throws(ChatError) -> ImportReport {
        var report = ImportReport(addedCount: 1, knownCount: 2, fileCount: 3, contactCount: 4, unknownCount: 5)
        report.note(.wrongID, in: 6)
        return report
    }

    func historyWindow(
        _ conversation: ConversationID,
        limit: Int,
        at place: HistoryWindow.Place
    ) throws(ChatError) -> HistoryWindow {
        let page = try history(conversation, limit: limit, within: HistorySpan())
        return HistoryWindow(messages: page, countBefore: 8, countAfter: 9)
    }
}
