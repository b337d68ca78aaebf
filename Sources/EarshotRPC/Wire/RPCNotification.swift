/// A line that notifies a client of an event.
struct RPCNotification: Codable, Sendable {
    var jsonrpc = "2.0"
    var method = "event"
    let params: RPCEvent

    init(_ event: RPCEvent) {
        params = event
    }
}
