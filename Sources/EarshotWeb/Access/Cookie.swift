import NIOHTTP1

/// The cookie that carries a session's secret.
///
/// Its name holds the port, for browsers keep the cookies of all ports of a host together.
struct Cookie {
    private let name: String

    init(port: Int) { name = "earshot-\(port)" }

    /// The secret that a request brings; nil for none.
    func secret(in headers: HTTPHeaders) -> [UInt8]? {
        for header in headers["cookie"] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
                return Array(parts[1].utf8)
            }
        }
        return nil
    }

    /// The header that has a browser keep a secret until it ends.
    func setting(_ secret: String) -> String { "\(name)=\(secret)\(Self.attributes)" }

    /// The header that has a browser forget it.
    var clearing: String { "\(name)=; Max-Age=0\(Self.attributes)" }

    private static let attributes = "; HttpOnly; SameSite=Strict; Path=/"
}
