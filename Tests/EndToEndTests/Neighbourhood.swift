import Foundation

/// Ten hosts: seven on one segment, and three that only relays reach.
///
/// Host 7 has a cable to host 1 alone, host 8 to host 2, host 9 to host 8. Made of network namespaces, which are
/// deleted with this value.
final class Neighbourhood: Sendable {
    static let hostCount = 10
    private static let onSegment = 0..<7
    private static let cables = [(1, 7), (2, 8), (8, 9)]

    private let tag = String(UUID().uuidString.prefix(6)).lowercased()

    /// Makes the hosts; nil, with a line that says so, if the system forbids it.
    init?() throws {
        guard try NamespaceLine.isAllowed() else {
            print("SKIPPED: network namespaces are not allowed here (needs root and iproute2)")
            return nil
        }
        for name in [air] + (0..<Self.hostCount).map(namespace) {
            try Self.ip("netns", "add", name)
            try Self.ip("-n", name, "link", "set", "lo", "up")
        }
        try Self.ip("-n", air, "link", "add", "segment", "type", "bridge", "mcast_snooping", "0")
        try Self.ip("-n", air, "link", "set", "segment", "up")
        for host in Self.onSegment {
            try Self.ip(
                "-n",
                air,
                "link",
                "add",
                "h\(host)",
                "type",
                "veth",
                "peer",
                "name",
                "e0",
                "netns",
                namespace(host)
            )
            try Self.ip("-n", air, "link", "set", "h\(host)", "master", "segment", "up")
            try use("e0", on: host, address: "10.98.0.\(host + 1)/24")
        }
        for (number, (near, far)) in Self.cables.enumerated() {
            let (left, right) = ("c\(far)", "c\(near)")
            try Self.ip(
                "-n",
                namespace(near),
                "link",
                "add",
                left,
                "type",
                "veth",
                "peer",
                "name",
                right,
                "netns",
                namespace(far)
            )
            try use(left, on: near, address: "10.98.\(number + 1).1/24")
            try use(right, on: far, address: "10.98.\(number + 1).2/24")
        }
    }

    deinit {
        for name in [air] + (0..<Self.hostCount).map(namespace) { _ = try? Command.run(["ip", "netns", "del", name]) }
    }

    private var air: String { "es-\(tag)-air" }

    func namespace(_ host: Int) -> String { "es-\(tag)-\(host)" }

    private func use(_ device: String, on host: Int, address: String) throws {
        try Self.ip("-n", namespace(host), "address", "add", address, "dev", device)
        try Self.ip("-n", namespace(host), "link", "set", device, "up")
    }

    private static func ip(_ arguments: String...) throws {
        let result = try Command.run(["ip"] + arguments)
        guard result.status == 0 else {
            throw NodeProcess.Failure(description: "ip \(arguments.joined(separator: " ")): \(result.errors)")
        }
    }
}
