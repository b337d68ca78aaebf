import Foundation

/// Two hosts with a cable between them, `eth0` in each, for one test to break.
///
/// Made of network namespaces, which are deleted with this value.
final class SegmentPair: Sendable {
    static let hosts = ["near", "far"]

    private let tag = String(UUID().uuidString.prefix(6)).lowercased()

    /// Makes the pair; nil, with a line that says so, if the system forbids it.
    init?() throws {
        guard try NamespaceLine.isAllowed() else {
            print("SKIPPED: network namespaces are not allowed here (needs root and iproute2)")
            return nil
        }
        for host in Self.hosts {
            try Self.succeed(["ip", "netns", "add", namespace(host)])
            try ip(host, "link", "set", "lo", "up")
        }
        try ip("near", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", namespace("far"))
        for (host, address) in zip(Self.hosts, ["10.99.9.1/24", "10.99.9.2/24"]) {
            // IPv6 is ready at once if it does not ask whether other hosts have the address.
            try set("net.ipv6.conf.eth0.accept_dad", to: 0, on: host)
            try ip(host, "address", "add", address, "dev", "eth0")
            try ip(host, "link", "set", "eth0", "up")
        }
        // The kernel reports up to a second later that a cable is plugged in.
        for host in Self.hosts {
            try wait(host, ["ip", "link", "show", "dev", "eth0"]) { $0.contains("state UP") }
            try wait(host, ["ip", "-6", "address", "show", "dev", "eth0"]) { $0.contains("fe80:") }
        }
    }

    deinit {
        for host in Self.hosts { _ = try? Command.run(["ip", "netns", "del", namespace(host)]) }
    }

    func namespace(_ host: String) -> String { "es-\(tag)-\(host)" }

    /// Runs `ip` on a host.
    func ip(_ host: String, _ arguments: String...) throws {
        try Self.succeed(["ip", "-n", namespace(host)] + arguments)
    }

    /// Runs a program on a host.
    @discardableResult
    func run(_ host: String, _ arguments: [String]) throws -> String {
        try Self.succeed(["ip", "netns", "exec", namespace(host)] + arguments)
    }

    /// Runs a command on a host repeatedly until its output fits.
    func wait(_ host: String, _ arguments: [String], until fits: (String) -> Bool) throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while true {
            let answer = try run(host, arguments)
            if fits(answer) { return }
            guard ContinuousClock.now < deadline else {
                throw NodeProcess.Failure(description: "\(arguments.joined(separator: " ")) stays at \(answer)")
            }
        }
    }

    /// Changes a setting of a host's kernel.
    func set(_ name: String, to value: Int, on host: String) throws {
        let path = "/proc/sys/" + name.split(separator: ".").joined(separator: "/")
        try run(host, ["sh", "-c", "echo \(value) > \(path)"])
    }

    /// Makes a host's firewall apply rules to all that arrives (`input`) or leaves (`output`).
    func filter(_ host: String, _ hook: String, _ rules: String...) throws {
        try run(host, ["nft", "add", "table", "inet", "test"])
        try run(host, ["nft", "add chain inet test \(hook) { type filter hook \(hook) priority 0 ; }"])
        for rule in rules { try run(host, ["nft", "add rule inet test \(hook) \(rule)"]) }
    }

    /// Blocks all incoming UDP except beacons and the host's traffic to itself.
    func closeLinkPorts(_ host: String) throws {
        try filter(host, "input", "iifname lo accept", "udp dport 28787 accept", "meta l4proto udp drop")
    }

    @discardableResult
    private static func succeed(_ arguments: [String]) throws -> String {
        let result = try Command.run(arguments)
        guard result.status == 0 else {
            throw NodeProcess.Failure(description: "\(arguments.joined(separator: " ")): \(result.errors)")
        }
        return result.output
    }
}

/// A finished run of `earshot doctor --json`.
struct DoctorRun: Sendable {
    struct Finding: Decodable, Sendable {
        let area: String
        let cause: String
        let severity: String
        let subject: String
        let what: String
        let why: String?
        let mend: String?
    }

    private struct Report: Decodable {
        let findings: [Finding]
    }

    let status: Int32
    let findings: [Finding]

    /// Runs the doctor, in a namespace if one is given.
    ///
    /// - Parameter wrapper: The words that precede it on the command line.
    init(
        in namespace: String? = nil,
        home: URL,
        _ options: [String] = [],
        wrapper: [String] = [],
        executable: String = Command.earshot,
        environment: [String: String] = [:]
    ) throws {
        let prefix = namespace.map { ["ip", "netns", "exec", $0] } ?? []
        let run = try Command.run(
            prefix + wrapper + [executable, "--home", home.path, "--json", "doctor"] + options,
            environment: environment
        )
        status = run.status
        do {
            findings = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).findings
        } catch {
            throw NodeProcess.Failure(description: "doctor: \(run.status) \(run.output)\(run.errors)")
        }
    }

    /// The findings of an area that are not ok.
    func troubles(_ area: String) -> [String] {
        findings.filter { $0.area == area && $0.severity != "ok" }.map { "\($0.severity) \($0.cause) \($0.subject)" }
    }

    /// The findings of an area.
    func all(_ area: String) -> [String] {
        findings.filter { $0.area == area }.map { "\($0.severity) \($0.cause) \($0.subject)" }
    }
}
