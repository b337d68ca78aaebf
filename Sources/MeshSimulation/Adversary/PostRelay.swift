import MeshCore

/// A relay without a store that passes posts on at once, and keeps what goes along ways for itself.
///
/// It fetches what neighbours announce, so that trails lead through it.
struct PostRelay: Sendable {
    private var seen: Set<UInt64> = []
    /// The number of payloads of ways that it took.
    private(set) var payloadCount = 0
    /// The number of posts that it passed on.
    private(set) var postCount = 0

    /// Passes on what came to its host in this step; returns the payloads among it.
    @discardableResult
    mutating func serve(_ host: inout HostileHost) -> [(message: PathMessage, link: HostileHost.OpenLink)] {
        var payloads: [(message: PathMessage, link: HostileHost.OpenLink)] = []
        for (bytes, link) in host.messages {
            if let id = HostileMessage.shortID(of: bytes) {
                guard seen.insert(id).inserted else { continue }
                postCount += 1
                for other in host.links where other.id != link.id { host.send(bytes, on: other.id) }
            } else if case .announce(let ids) = TreeMessage(decoding: bytes) {
                let unknown = ids.filter { !seen.contains($0) }
                if !unknown.isEmpty { host.send(TreeMessage.graft(unknown).encoded(), on: link.id) }
            } else if let message = HostileMessage.payload(bytes) {
                payloadCount += 1
                payloads.append((message, link))
            }
        }
        return payloads
    }
}
