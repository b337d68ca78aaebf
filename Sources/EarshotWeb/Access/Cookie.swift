import NIOHTTP1

/// The cookie that carries a session's secret.
///
/// Its name contains the port, because browsers share cookies among all ports of a host.
struct Cookie {
    private let name: String

    init(port: Int) { name = "earshot-\(port)" }

    /// Reads the secrets in a request.
    ///
    /// There may be several, because any server of this host can set a cookie of this name.
    func secrets(in headers: HTTPHeaders) -> [[UInt8]] {
        headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
            return Array(parts[1].utf8)
        }
    }

    /// Makes the header with which a browser stores a secret until the browser ends.
    func setting(_ secret: String) -> String { "\(name)=\(secret)\(Self.attributes)" }

    /// The header with which a browser deletes the secret.
    var clearing: String { "\(name)=; Max-Age=0\(Self.attributes)" }

    private static let attributes = "; HttpOnly; SameSite=Strict; Path=/"
}
