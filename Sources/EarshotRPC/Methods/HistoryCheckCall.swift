package import Earshot

/// Looks through everything that is kept for what something other than Earshot has changed, or accepts it.
package struct HistoryCheckCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history.check"
    /// The names of its parameters.
    package static let parameters = ["accept"]

    /// Whether all is to count as it is now; the user has been asked.
    package let accept: Bool?

    /// Makes the call.
    package init(accept: Bool? = nil) {
        self.accept = accept
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> HistoryReportReply {
        try await RPCError.translating { () async throws(ChatError) in
            let report = accept == true ? try await node.acceptHistory() : try await node.checkHistory()
            return HistoryReportReply(report)
        }
    }
}

/// What was noticed of changes that something other than Earshot has made, on the wire.
package struct HistoryReportReply: Codable, Hashable, Sendable {
    /// One sign of tampering.
    package struct Sign: Codable, Hashable, Sendable {
        /// What was noticed, by its name.
        package let kind: String
        /// The conversation it is about.
        package let conversation: String?
        /// The kind of records it is about.
        package let table: String?
        /// How many there should be.
        package let expected: Int
        /// How many there are.
        package let found: Int
    }

    /// What was noticed.
    package let signs: [Sign]
    /// The records that were looked at.
    package let records: Int?
    /// The messages that did not open and were deleted.
    package let deleted: Int?

    /// Puts a report into words of the wire.
    package init(_ report: HistoryReport) {
        signs = report.signs.map { sign in
            Sign(
                kind: sign.kind.rawValue,
                conversation: sign.conversation?.description,
                table: sign.table,
                expected: Int(clamping: sign.expected),
                found: Int(clamping: sign.found)
            )
        }
        records = report.recordCount
        deleted = report.deletedCount > 0 ? report.deletedCount : nil
    }
}
