import NIOHTTP1

/// The origin of a request, by the headers that no page can choose.
///
/// A foreign page may have a host name that now resolves to 127.0.0.1; then the host is not one of this server's. It
/// may also send requests from its own place; then the origin is not this server's.
enum OriginCheck {
    /// Checks the origin of a request, and answers the reason of a refusal; nil for a request that is allowed.
    static func refusal(of head: HTTPRequestHead, for route: Route?, port: Int) -> PageError? {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first, Self.hosts(port).contains(host.lowercased()) else {
            return PageError(.misdirectedRequest, "misdirected", "Ask for 127.0.0.1:\(port).")
        }
        let site = head.headers.first(name: "sec-fetch-site")
        let isPublic = route?.isPublic ?? true
        if isPublic, head.method == .GET || head.method == .HEAD {
            // Any site may link to the page. Parts of the page are for the page alone.
            guard site != "cross-site" || head.headers.first(name: "sec-fetch-mode") == "navigate" else {
                return foreign
            }
            return nil
        }
        guard site == nil || site == "same-origin" || site == "none" else { return foreign }
        let origins = head.headers["origin"]
        // For requests that change nothing, browsers and other programs send no origin.
        if origins.isEmpty, head.method == .GET || head.method == .HEAD, route != .socket { return nil }
        guard origins.count == 1, let origin = origins.first, origin.lowercased() == "http://\(host.lowercased())"
        else {
            return foreign
        }
        return nil
    }

    private static func hosts(_ port: Int) -> [String] {
        ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    }

    private static var foreign: PageError {
        PageError(.forbidden, "foreign", "Only the page of this node may ask for this.")
    }
}
