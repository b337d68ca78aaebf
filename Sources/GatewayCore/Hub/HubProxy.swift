import Foundation

/// A proxy by which a node reaches its hubs: SOCKS5 without a login, such as that of Tor.
///
/// It is on this machine, or in a private network: the way to it is not encrypted.
///
/// The proxy resolves the names of hubs, so nothing of them reaches the DNS of this machine. Source: RFC 1928.
package struct HubProxy: Hashable, Sendable, CustomStringConvertible {
    /// The name or the numeric address, without brackets.
    package let host: String
    /// The TCP port.
    package let port: UInt16

    /// Parses `socks5://`, a host and a port.
    ///
    /// - Throws: `proxyURL` if the text is something else.
    package init(_ text: String) throws(HubError) {
        guard text.utf8.count <= HubURL.maximumByteCount, let parts = URLComponents(string: text),
            parts.scheme?.lowercased() == "socks5", parts.user == nil, parts.password == nil,
            let host = parts.host?.trimmingCharacters(in: ["[", "]"]), HubURL.isHost(host),
            HubURL.isNear(host.lowercased()),
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil,
            let port = parts.port.flatMap(UInt16.init(exactly:)), port > 0
        else { throw .proxyURL }
        self.host = host.lowercased()
        self.port = port
    }

    /// The host and the port.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address.
    package var text: String { "socks5://\(self)" }
}
