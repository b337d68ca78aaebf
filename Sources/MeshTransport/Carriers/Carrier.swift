/// A way of a link's datagrams other than UDP: a stream of bytes to one other node.
public enum Carrier: Hashable, Sendable, CustomStringConvertible {
    /// A TCP connection that this node opens.
    case tcp(HostPort)
    /// TCP connections that other nodes open to an address of this machine; the port 0 is any.
    case listen(host: String, port: UInt16)
    /// The standard input and output of a command, which `/bin/sh` runs.
    case command(String)

    /// The host of `listen:PORT`: connections come from this machine only, as by a tunnel that ends here.
    public static let localHost = "127.0.0.1"

    /// Reads `tcp:HOST:PORT`, `listen:PORT`, `listen:HOST:PORT` or `exec:COMMAND`.
    ///
    /// - Throws: `invalidCarrier` for any other text; the reason says what to write.
    public init(_ text: String) throws(MeshTransportError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = parts.count == 2 ? parts[1] : ""
        switch parts[0] {
        case "tcp":
            guard let peer = HostPort(value) else { throw .invalid(text, "Write tcp:HOST:PORT or tcp:[IPV6]:PORT") }
            self = .tcp(peer)
        case "listen":
            let local = UInt16(value).flatMap { HostPort(host: Self.localHost, port: $0) }
            guard let place = local ?? HostPort(value) else {
                throw .invalid(text, "Write listen:PORT, listen:ADDRESS:PORT or listen:[IPV6]:PORT")
            }
            self = .listen(host: place.host, port: place.port)
        case "exec":
            guard value.contains(where: { !$0.isWhitespace }), !value.utf8.contains(0) else {
                throw .invalid(text, "Write exec:COMMAND, such as 'exec:ssh HOST nc localhost PORT'")
            }
            self = .command(value)
        default:
            throw .invalid(text, "Write tcp:HOST:PORT, listen:PORT, listen:ADDRESS:PORT or exec:COMMAND")
        }
    }

    /// The text that reads back as this value, if the port is not 0.
    public var description: String {
        switch self {
        case .tcp(let peer): "tcp:\(peer)"
        case .listen(let host, let port): "listen:" + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
        case .command(let command): "exec:\(command)"
        }
    }
}

extension MeshTransportError {
    fileprivate static func invalid(_ text: String, _ advice: String) -> MeshTransportError {
        MeshTransportError(.invalidCarrier, reason: "'\(text)' is not a carrier. \(advice).")
    }
}
