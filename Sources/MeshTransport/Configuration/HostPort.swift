/// The name or address of a host and a port on it, as people write it.
public struct HostPort: Hashable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without brackets, with a zone (`%eth0`) where it is link-local.
    public let host: String
    /// The UDP port, or the TCP port of a carrier; never 0.
    public let port: UInt16

    /// Makes a host and port; nil if the host is empty or the port is 0.
    public init?(host: String, port: UInt16) {
        guard !host.isEmpty, port != 0 else { return nil }
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[IPV6]:PORT`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    /// The text that reads back as this value.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
