import Foundation

/// Three hosts in a row, each link on its own segment: one end's multicast never reaches the other.
///
/// Made of network namespaces joined by veth pairs, which are deleted with this value.
final class NamespaceLine: Sendable {
    static let hosts = ["alice", "relay", "bob"]

    private let tag: String

    /// Makes the line; nil, with a line that says so, if the system forbids it.
    init?() throws {
        tag = String(UUID().uuidString.prefix(6)).lowercased()
        guard try Self.isAllowed() else {
            print("SKIPPED: network namespaces are not allowed here (needs root and iproute2)")
            return nil
        }
        for host in Self.hosts {
            try Self.ip(["netns", "add", namespace(host)])
            try ip(host, ["link", "set", "lo", "up"])
        }
        try join("alice", "relay", subnet: 1)
        try join("relay", "bob", subnet: 2)
    }

    deinit {
        for host in Self.hosts {
            _ = try? Command.run(["ip", "netns", "del", namespace(host)])
        }
    }

    func namespace(_ host: String) -> String { "es-\(tag)-\(host)" }

    /// Drops a share of all datagrams that arrive, on every host.
    func lose(percent: Int) throws {
        for host in Self.hosts {
            for arguments in [
                ["add", "table", "inet", "loss"],
                ["add", "chain", "inet", "loss", "in", "{ type filter hook input priority 0 ; }"],
                [
                    "add", "rule", "inet", "loss", "in", "meta", "l4proto", "udp", "numgen", "random", "mod", "100",
                    "<", "\(percent)", "drop",
                ],
            ] {
                let result = try Command.run(["ip", "netns", "exec", namespace(host), "nft"] + arguments)
                guard result.status == 0 else { throw NodeProcess.Failure(description: "nft: \(result.errors)") }
            }
        }
    }

    private func join(_ left: String, _ right: String, subnet: Int) throws {
        let (near, far) = ("e\(tag)\(subnet)a", "e\(tag)\(subnet)b")
        try Self.ip(["link", "add", near, "type", "veth", "peer", "name", far])
        for (host, device, last) in [(left, near, 1), (right, far, 2)] {
            try Self.ip(["link", "set", device, "netns", namespace(host)])
            try ip(host, ["addr", "add", "10.99.\(subnet).\(last)/24", "dev", device])
            try ip(host, ["link", "set", device, "up"])
        }
    }

    private func ip(_ host: String, _ arguments: [String]) throws {
        try Self.ip(["-n", namespace(host)] + arguments)
    }

    private static func ip(_ arguments: [String]) throws {
        let result = try Command.run(["ip"] + arguments)
        guard result.status == 0 else {
            throw NodeProcess.Failure(description: "ip \(arguments.joined(separator: " ")): \(result.errors)")
        }
    }

    /// Whether this machine lets the tests make namespaces.
    static func isAllowed() throws -> Bool {
        let name = "es-probe-\(UUID().uuidString.prefix(6))"
        guard try Command.run(["ip", "netns", "add", name]).status == 0 else { return false }
        return try Command.run(["ip", "netns", "del", name]).status == 0
    }
}
