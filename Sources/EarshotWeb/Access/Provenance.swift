import NIOHTTP1

/// Where a request says that it comes from, by the headers that no page can choose.
///
/// A page of somewhere else may have a name that suddenly means 127.0.0.1; then the host is not one of ours. It may send
/// requests here from where it is; then the origin is not ours.
enum Provenance {
    /// Why a request is refused for where it comes from; nil for one that is not.
    static func refusal(of head: HTTPRequestHead, for route: Route?, port: Int) -> PageError? {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first, Self.hosts(port).contains(host.lowercased()) else {
            return PageError(.misdirectedRequest, "misdirected", "Ask for 127.0.0.1:\(port).")
        }
        let site = head.headers.first(name: "sec-fetch-site")
        let isPublic = route?.isPublic ?? true
        if isPublic, head.method == .GET || head.method == .HEAD {
            // A link to the page may stand anywhere; parts of it are for the page alone.
            guard site != "cross-site" || head.headers.first(name: "sec-fetch-mode") == "navigate" else {
                return foreign
            }
            return nil
        }
        guard site == nil || site == "same-origin" || site == "none" else { return foreign }
        let origins = head.headers["origin"]
        // Programs that are no browser send none with what changes nothing, and neither do browsers.
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
