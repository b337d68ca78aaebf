import Foundation
import Testing

/// Network faults that the tests cause on purpose and the doctor finds; this does not show a real access point.
@Suite("Doctor: network", .timeLimit(.minutes(30)))
struct DoctorTests {
    private static let brief = ["--listen", "700ms"]

    private func doctor(_ pair: SegmentPair, _ options: [String] = brief) throws -> DoctorRun {
        try DoctorRun(in: pair.namespace("near"), home: try TemporaryFolder().url, options)
    }

    /// Breaks a pair of hosts by `fault` and returns the network troubles that the near host finds.
    private func troubles(
        status: Int32,
        _ options: [String] = brief,
        _ fault: (SegmentPair) async throws -> Void
    ) async throws -> [String]? {
        guard let pair = try SegmentPair() else { return nil }
        try await fault(pair)
        let run = try doctor(pair, options)
        #expect(run.status == status)
        #expect(run.findings.allSatisfy { ($0.severity == "ok") == ($0.mend == nil) })
        return run.troubles("network")
    }

    private func expect(
        _ expected: [String],
        status: Int32 = 69,
        _ options: [String] = brief,
        _ fault: (SegmentPair) async throws -> Void
    ) async throws {
        guard let found = try await troubles(status: status, options, fault) else { return }
        #expect(found == expected)
    }

    @Test("A machine that is well hears itself and a second process everywhere")
    func sound() throws {
        guard let pair = try SegmentPair() else { return }
        let run = try doctor(pair)
        #expect(
            run.all("network") == [
                "ok interfaces interfaces", "ok segment lo IPv4", "ok segment eth0 IPv4", "ok segment eth0 IPv6",
                "ok receiveBuffer receive buffer",
            ]
        )
        #expect(run.troubles("neighbours") == ["hint neighbours neighbours"])
        let segments = run.findings.filter { $0.cause == "segment" }
        #expect(segments.allSatisfy { $0.what.contains("a second process hears them and answers") })
        #expect(run.status == 0)
    }

    @Test("Multicast switched off")
    func multicast() async throws {
        try await expect(["hint interfaces interfaces", "problem noMulticast eth0"]) {
            try $0.ip("near", "link", "set", "eth0", "multicast", "off")
        }
        try await expect(
            ["hint interfaces interfaces", "problem noMulticast eth0"],
            Self.brief + ["--interface", "eth0"]
        ) {
            try $0.ip("near", "link", "set", "eth0", "multicast", "off")
        }
    }

    @Test("A firewall that drops what arrives")
    func firewallIn() async throws {
        try await expect(["problem firewallIn eth0 IPv4", "problem firewallIn eth0 IPv6"]) {
            try $0.filter("near", "input", "iifname eth0 udp dport 28787 drop")
        }
    }

    @Test("A firewall that drops what is sent")
    func firewallOut() async throws {
        try await expect(["problem firewallOut eth0 IPv4", "problem firewallOut eth0 IPv6"]) {
            try $0.filter("near", "output", "oifname eth0 udp dport 28787 drop")
        }
    }

    @Test("A firewall that lets beacons through and links not", arguments: ["input", "output"])
    func linkPort(hook: String) async throws {
        try await expect(["problem linkPortClosed eth0 IPv4", "problem linkPortClosed eth0 IPv6"]) {
            let name = hook == "input" ? "iifname" : "oifname"
            try $0.filter("near", hook, "\(name) eth0 udp dport != 28787 drop")
        }
    }

    @Test("A firewall that drops unicast between two programs")
    func unicast() async throws {
        try await expect(["problem unicastDropped eth0 IPv4"]) {
            try $0.filter("near", "input", "iifname lo ip daddr 10.99.9.1 meta l4proto udp drop")
        }
    }

    @Test("An IPv6 address that is still being checked")
    func sixNotReady() async throws {
        try await expect(["hint ipv6NotReady eth0 IPv6"], status: 0) {
            try $0.ip("near", "link", "set", "eth0", "down")
            try $0.set("net.ipv6.conf.eth0.accept_dad", to: 1, on: "near")
            try $0.set("net.ipv6.conf.eth0.dad_transmits", to: 100, on: "near")
            try $0.ip("near", "link", "set", "eth0", "up")
            try $0.wait("near", ["ip", "-6", "address", "show", "dev", "eth0"]) { $0.contains("tentative") }
            try $0.wait("near", ["ip", "link", "show", "dev", "eth0"]) { $0.contains("state UP") }
        }
    }

    @Test("IPv6 switched off, and IPv4 without an address")
    func families() async throws {
        try await expect(["hint ipv6Disabled eth0"], status: 0) {
            try $0.set("net.ipv6.conf.eth0.disable_ipv6", to: 1, on: "near")
        }
        try await expect(["hint noIPv4 eth0"], status: 0) {
            try $0.ip("near", "address", "flush", "dev", "eth0", "scope", "global")
        }
        try await expect(["hint noIPv6 eth0"], status: 0) {
            try $0.ip("near", "-6", "address", "flush", "dev", "eth0")
        }
    }

    @Test("No address at all")
    func noAddress() async throws {
        try await expect(["problem noInterface interfaces"]) {
            try $0.ip("near", "address", "flush", "dev", "eth0")
        }
    }

    @Test("The discovery port taken by a program that does not share it")
    func portTaken() async throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appending(path: "hog")
        try Command.run([Command.earshot, "--home", home.path, "init", "--name", "Hog", "--no-passphrase"])
        try await expect(["problem portTaken port 28787"]) { pair in
            let options = ["--no-multicast", "--port", "28787"]
            let hog = try NodeProcess("hog", home: home, in: pair.namespace("near"), options)
            _ = try await hog.ready()
        }
    }

    @Test("An IPv6 address that another host has")
    func sixDuplicate() async throws {
        try await expect(["problem ipv6Duplicate eth0 IPv6"]) { pair in
            let address = try pair.run("far", ["cat", "/sys/class/net/eth0/address"])
            try pair.ip("near", "link", "set", "eth0", "down")
            try pair.ip("near", "link", "set", "eth0", "address", String(address.prefix { !$0.isNewline }))
            try pair.set("net.ipv6.conf.eth0.accept_dad", to: 1, on: "near")
            try pair.ip("near", "link", "set", "eth0", "up")
            try pair.wait("near", ["ip", "-6", "address", "show", "dev", "eth0"]) { $0.contains("dadfailed") }
            try pair.wait("near", ["ip", "link", "show", "dev", "eth0"]) { $0.contains("state UP") }
        }
    }

    @Test("No way to the group")
    func noRoute() async throws {
        try await expect(["problem noRoute eth0 IPv6"]) {
            try $0.ip("near", "-6", "route", "del", "ff00::/8", "dev", "eth0", "table", "local")
        }
    }

    @Test("A cable that is not plugged in")
    func carrier() async throws {
        try await expect(["problem noInterface interfaces", "hint noCarrier eth0"]) {
            try $0.ip("far", "link", "set", "eth0", "down")
            try $0.wait("near", ["ip", "link", "show", "dev", "eth0"]) { !$0.contains("state UP") }
        }
    }

    @Test("An interface that is not there, and one that is down")
    func names() async throws {
        try await expect(["problem noSuchInterface wlan7"], Self.brief + ["--interface", "wlan7"]) { _ in }
        try await expect(
            ["problem noInterface interfaces", "problem noInterface eth0"],
            Self.brief + ["--interface", "eth0"]
        ) {
            try $0.ip("near", "link", "set", "eth0", "down")
        }
    }

    @Test("It sends by the interface it was given and by no other")
    func restraint() throws {
        guard let pair = try SegmentPair() else { return }
        let far = pair.namespace("far")
        try pair.ip("near", "link", "add", "eth1", "type", "veth", "peer", "name", "eth1", "netns", far)
        try pair.ip("near", "address", "add", "10.99.8.1/24", "dev", "eth1")
        for host in SegmentPair.hosts { try pair.ip(host, "link", "set", "eth1", "up") }
        try pair.filter(
            "near",
            "output",
            "oifname eth1 meta l4proto udp counter",
            "oifname eth0 meta l4proto udp counter"
        )
        _ = try doctor(pair, Self.brief + ["--interface", "eth0"])
        let counters = try pair.run("near", ["nft", "list", "chain", "inet", "test", "output"])
        let lines = counters.split(separator: "\n").filter { $0.contains("counter") }
        #expect(lines.map { $0.contains("counter packets 0 ") } == [true, false])
        let both = try doctor(pair)
        #expect(both.all("network").contains("ok segment eth1 IPv4"))
    }
}
