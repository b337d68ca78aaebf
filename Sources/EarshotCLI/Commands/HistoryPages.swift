import EarshotRPC

/// A conversation read in pages that fit a line.
struct HistoryPages: Sendable {
    let conversation: String
    let caller: any RPCCaller

    /// The newest messages, so many at most, oldest first.
    func newest(_ limit: Int, before: String?) async throws -> [MessageReply] {
        var pages: [[MessageReply]] = []
        var count = 0
        var before = before
        var pageLimit = RPCLimits.historyPageDefault
        while count < limit {
            let wanted = min(pageLimit, limit - count)
            do throws(RPCError) {
                let page = try await caller.call(HistoryCall(conversation: conversation, limit: wanted, before: before))
                pages.append(page)
                count += page.count
                before = page.first?.id
                if page.count < wanted { break }
            } catch {
                // Long messages fill a line sooner than short ones.
                guard error.kind == .tooLarge, wanted > 1 else { throw error }
                pageLimit = wanted / 2
            }
        }
        return Array(pages.reversed().joined())
    }
}
