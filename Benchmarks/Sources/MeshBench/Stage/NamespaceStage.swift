import Foundation

/// Hosts made of network namespaces on this machine: in a row, each neighbour pair on its own segment, or all on one.
///
/// Needs root and iproute2. `remove()` deletes the namespaces.
final class NamespaceStage: Sendable {
    /// The namespaces, in order.
    let hosts: [String]
    private let tag: String
    private let hub: String?

    /// Makes hosts in a row: only adjacent hosts hear a host's multicast.
    static func row(_ count: Int) throws -> NamespaceStage {
        try NamespaceStage(count, hasHub: false)
    }

    /// Makes hosts on one switch.
    static func segment(_ count: Int) throws -> NamespaceStage {
        try NamespaceStage(count, hasHub: true)
    }

    private init(_ count: Int, hasHub: Bool) throws {
        let tag = String(UUID().uuidString.prefix(6)).lowercased()
        self.tag = tag
        hosts = (0..<count).map { "mb-\(tag)-\($0)" }
        hub = hasHub ? "mb-\(tag)-hub" : nil
        do {
            for namespace in hosts + [hub].compactMap(\.self) {
                try Self.run(["ip", "netns", "add", namespace])
                try Self.run(["ip", "-n", namespace, "link", "set", "lo", "up"])
            }
            if let hub { try joinAll(to: hub) } else { try joinNeighbours() }
        } catch {
            remove()
            throw error
        }
    }

    /// The address of each host by which its neighbours reach it; in a row, the previous neighbour.
    var addresses: [String] {
        hosts.indices.map { number in
            guard hub == nil else { return "10.99.0.\(number + 1)" }
            return number == 0 ? "10.99.1.1" : "10.99.\(number).2"
        }
    }

    /// Deletes the namespaces and everything in them.
    func remove() {
        for namespace in hosts + [hub].compactMap(\.self) {
            try? Self.run(["ip", "netns", "del", namespace])
        }
    }

    /// Drops a share of all datagrams that arrive, on every host.
    func lose(percent: Int) throws {
        for host in hosts {
            let table = ["ip", "netns", "exec", host, "nft", "add"]
            try Self.run(table + ["table", "inet", "loss"])
            try Self.run(table + ["chain", "inet", "loss", "in", "{ type filter hook input priority 0 ; }"])
            let share = ["numgen", "random", "mod", "100", "<", "\(percent)", "drop"]
            try Self.run(table + ["rule", "inet", "loss", "in", "meta", "l4proto", "udp"] + share)
        }
    }

    /// Limits the rate of every cable in both directions.
    func limit(megabitsPerSecond rate: Int) throws {
        let bucket = ["root", "tbf", "rate", "\(rate)mbit", "burst", "128kb", "latency", "20ms"]
        for (host, device) in ends {
            try Self.run(["ip", "netns", "exec", host, "tc", "qdisc", "add", "dev", device] + bucket)
        }
    }

    /// The ends of all cables that are in hosts.
    private var ends: [(host: String, device: String)] {
        guard hub == nil else { return hosts.enumerated().map { ($1, "m\(tag)\($0)a") } }
        return (1..<max(1, hosts.count)).flatMap { number in
            [(hosts[number - 1], "m\(tag)\(number)a"), (hosts[number], "m\(tag)\(number)b")]
        }
    }

    private func joinNeighbours() throws {
        for number in 1..<max(1, hosts.count) {
            let pair = ("m\(tag)\(number)a", "m\(tag)\(number)b")
            try Self.run(["ip", "link", "add", pair.0, "type", "veth", "peer", "name", pair.1])
            try place(pair.0, in: hosts[number - 1], address: "10.99.\(number).1/24")
            try place(pair.1, in: hosts[number], address: "10.99.\(number).2/24")
        }
    }

    private func joinAll(to hub: String) throws {
        try Self.run(["ip", "-n", hub, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0"])
        try Self.run(["ip", "-n", hub, "link", "set", "br0", "up"])
        for (number, host) in hosts.enumerated() {
            let pair = ("m\(tag)\(number)a", "m\(tag)\(number)b")
            try Self.run(["ip", "link", "add", pair.0, "type", "veth", "peer", "name", pair.1])
            try Self.run(["ip", "link", "set", pair.1, "netns", hub])
            try Self.run(["ip", "-n", hub, "link", "set", pair.1, "master", "br0", "up"])
            try place(pair.0, in: host, address: "10.99.0.\(number + 1)/24")
        }
    }

    private func place(_ device: String, in namespace: String, address: String) throws {
        try Self.run(["ip", "link", "set", device, "netns", namespace])
        try Self.run(["ip", "-n", namespace, "addr", "add", address, "dev", device])
        try Self.run(["ip", "-n", namespace, "link", "set", device, "up"])
    }

    private static func run(_ arguments: [String]) throws {
        try Tool.run(
            arguments,
            otherwise: "namespaces need root and iproute2, --loss needs nftables; "
                + "without them `mesh-bench pair --interface lo` measures on loopback"
        )
    }
}
