import Earshot
import EarshotRPC

/// A conversation that is read in pages, each of which fits one line of JSON-RPC.
struct HistoryPages: Sendable {
    let conversation: String
    let caller: any RPCCaller

    /// Reads at most `limit` messages between two edges, oldest first.
    ///
    /// Each edge is a message's id or a time. With `after` they are the oldest ones after it, without it the newest ones.
    func messages(_ limit: Int, after: String? = nil, before: String? = nil) async throws -> [MessageReply] {
        var pages: [[MessageReply]] = []
        var count = 0
        var (after, before) = (after, before)
        let isRising = after != nil
        var pageLimit = RPCLimits.historyPageDefault
        while count < limit {
            let wanted = min(pageLimit, limit - count)
            do throws(RPCError) {
                let call = HistoryCall(conversation: conversation, limit: wanted, before: before, after: after)
                let page = try await caller.call(call)
                pages.append(page)
                count += page.count
                if isRising { after = page.last?.id } else { before = page.first?.id }
                if page.count < wanted { break }
            } catch {
                // Long messages fill a line with fewer of them.
                guard error.kind == .tooLarge, wanted > 1 else { throw error }
                pageLimit = wanted / 2
            }
        }
        return Array((isRising ? pages : pages.reversed()).joined())
    }
}
