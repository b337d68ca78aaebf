/// Ends all sessions of the node's page, and the addresses that were not used yet.
package struct EndPageCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "page.end"
    /// It takes none.
    package static let parameters: [String] = []
    /// The page of a locked node has sessions too.
    package static let needsKeys = false

    /// Makes the call.
    package init() {}

    /// Does nothing: where no page is served there is no session to end.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        EmptyReply()
    }
}

/// Ends sessions of the page: all, or all but that of the page that asks.
package typealias PageEnding = @Sendable () async -> Void
