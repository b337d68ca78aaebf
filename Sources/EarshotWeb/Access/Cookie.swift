import NIOHTTP1

/// The cookie that carries a session's secret.
///
/// Its name holds the port, for browsers keep the cookies of all ports of a host together.
struct Cookie {
    private let name: String

    init(port: Int) { name = "earshot-\(port)" }

    /// The secrets that a request brings: any server of this host can have a browser send one more of this name.
    func secrets(in headers: HTTPHeaders) -> [[UInt8]] {
        headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
            return Array(parts[1].utf8)
        }
    }

    /// The header that has a browser keep a secret until it ends.
    func setting(_ secret: String) -> String { "\(name)=\(secret)\(Self.attributes)" }

    /// The header that has a browser forget it.
    var clearing: String { "\(name)=; Max-Age=0\(Self.attributes)" }

    private static let attributes = "; HttpOnly; SameSite=Strict; Path=/"
}
