package import Earshot
package import Foundation

/// What the methods need of a node to find what was said, and to carry it from one home to another.
package protocol RPCArchiveNode: Sendable {
    /// Finds messages.
    func search(_ query: SearchQuery, waits: Bool) async throws(ChatError) -> SearchResult
    /// How much of the history a search looks at.
    func searchProgress() async -> SearchProgress
    /// Writes the history into a file.
    func exportHistory(to place: URL, _ options: ExportOptions) async throws(ChatError) -> ExportReport
    /// Takes the history of a file.
    func importHistory(from place: URL, passphrase: String?) async throws(ChatError) -> ImportReport
}
