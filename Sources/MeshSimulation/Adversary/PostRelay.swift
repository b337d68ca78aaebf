import MeshCore

/// A relay without a store that passes posts on at once, and keeps what goes along ways for itself.
///
/// It fetches what neighbours announce, so that trails lead through it.
struct PostRelay: Sendable {
    private var seen: Set<UInt64> = []
    /// The new posts that came in the current step.
    private(set) var posts: [(envelope: Envelope, trail: PathLabel, link: HostileHost.OpenLink)] = []
    /// The payloads of ways that came in the current step.
    private(set) var payloads: [(message: PathMessage, link: HostileHost.OpenLink)] = []
    /// The number of posts that it passed on.
    private(set) var postCount = 0
    /// The number of payloads that came.
    private(set) var payloadCount = 0

    /// Passes on the posts that came to its host in the current step.
    mutating func serve(_ host: inout HostileHost) {
        posts.removeAll(keepingCapacity: true)
        payloads.removeAll(keepingCapacity: true)
        for (bytes, link) in host.messages {
            if let id = HostileMessage.shortID(of: bytes), let envelope = Envelope(decoding: bytes[...]) {
                guard seen.insert(id).inserted else { continue }
                posts.append((envelope, PathLabel(id), link))
                for other in host.links where other.id != link.id { host.send(bytes, on: other.id) }
            } else if case .announce(let ids) = TreeMessage(decoding: bytes) {
                let unknown = ids.filter { !seen.contains($0) }
                if !unknown.isEmpty { host.send(TreeMessage.graft(unknown).encoded(), on: link.id) }
            } else if case .routed(let message) = PathFrame(decoding: bytes) {
                payloads.append((message, link))
            }
        }
        postCount += posts.count
        payloadCount += payloads.count
    }
}
