package import Earshot

/// What the methods need of a node to find what was said.
package protocol RPCArchiveNode: Sendable {
    /// Finds messages.
    func search(_ query: SearchQuery, waits: Bool) async throws(ChatError) -> SearchResult
    /// How much of the history a search looks at.
    func searchProgress() async -> SearchProgress
}
