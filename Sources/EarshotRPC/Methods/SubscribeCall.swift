/// Asks for events from here on.
///
/// Asking again changes which ones come. The session opens the stream itself, before it answers.
package struct SubscribeCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "subscribe"
    /// The names of its parameters.
    package static let parameters = ["events"]
    /// It tells and changes nothing of what is in the home.
    package static let needsKeys = false

    /// The types of events wanted, besides `lagged`, which always comes; nil for all.
    package let events: [String]?

    /// Makes the call.
    package init(events: [String]? = nil) {
        self.events = events
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> EmptyReply {
        let unknown = (events ?? []).filter { !RPCEvent.types.contains($0) }
        guard unknown.isEmpty else {
            throw RPCError(
                .invalidParameters,
                "The events of this release are \(RPCEvent.types.joined(separator: ", "))."
            )
        }
        return EmptyReply()
    }
}
