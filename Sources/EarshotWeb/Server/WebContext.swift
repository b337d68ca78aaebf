import Earshot

/// What all connections of a page's server share.
struct WebContext: Sendable {
    let node: ChatNode
    let page: any PageNode
    let times: WebTimes
    let sessions = Sessions()
    let connections = Connections()
    let uploads: Uploads

    init(node: ChatNode, page: any PageNode, times: WebTimes) {
        self.node = node
        self.page = page
        self.times = times
        uploads = Uploads(age: times.upload)
    }
}
