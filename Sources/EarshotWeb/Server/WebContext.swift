import Earshot

/// The state that all connections of a page's server share.
struct WebContext: Sendable {
    let node: ChatNode
    let page: any PageNode
    let times: WebTimes
    let sessions: Sessions
    let connections = Connections()
    let uploads: Uploads

    init(
        node: ChatNode,
        page: any PageNode,
        times: WebTimes,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.node = node
        self.page = page
        self.times = times
        sessions = Sessions(times, now: now)
        uploads = Uploads(age: times.upload)
    }
}
