import MeshCore
import Testing

@testable import MeshDoctor

@Suite("Judging interfaces")
struct InterfaceDiagnosisTests {
    private static let loopback: InterfaceFacts = {
        var facts = InterfaceFacts(name: "lo")
        facts.isLoopback = true
        facts.isMulticast = false
        facts.isBroadcast = false
        return facts
    }()

    /// Makes a machine with loopback and one interface, changed by `change`; a node uses the interfaces that it can.
    private static func machine(
        requested: [String] = [],
        _ change: (inout InterfaceFacts) -> Void = { _ in }
    ) -> NetworkFacts {
        var ethernet = InterfaceFacts(name: "eth0")
        change(&ethernet)
        var facts = NetworkFacts()
        facts.requested = requested
        facts.interfaces = [ethernet, loopback]
        let isEthernetUsed = requested.isEmpty ? ethernet.isMulticast : requested.contains("eth0")
        if ethernet.isUp, isEthernetUsed {
            if ethernet.hasFour { facts.segments.append(segment("eth0", .v4)) }
            if ethernet.six == .ready { facts.segments.append(segment("eth0", .v6)) }
        }
        if requested.isEmpty || requested.contains("lo") { facts.segments.append(segment("lo", .v4)) }
        return facts
    }

    private static func segment(_ name: String, _ family: AddressFamily) -> SegmentFacts {
        SegmentFacts(interface: name, family: family, address: "", subnet: "")
    }

    private func found(_ facts: NetworkFacts) -> [String] {
        InterfaceDiagnosis.findings(facts).map { "\($0.severity) \($0.cause.name) \($0.subject)" }
    }

    @Test("A machine that is well gets one line")
    func sound() {
        let findings = InterfaceDiagnosis.findings(Self.machine())
        #expect(findings == [.ok(.interfaces, "interfaces", "A node uses eth0 (IPv4, IPv6), lo (IPv4).")])
    }

    @Test("Multicast that is switched off is a problem, and told as the reason why nobody can be found")
    func multicast() {
        let facts = Self.machine { $0.isMulticast = false }
        #expect(found(facts) == ["hint interfaces interfaces", "problem noMulticast eth0"])
        #expect(InterfaceDiagnosis.findings(facts).last?.mend?.contains("ip link set eth0 multicast on") == true)
    }

    @Test("A tunnel to one other host is left out quietly, and a problem only if it was asked for")
    func tunnel() {
        var facts = Self.machine()
        var tunnel = InterfaceFacts(name: "tun0")
        tunnel.isMulticast = false
        tunnel.isBroadcast = false
        facts.interfaces.append(tunnel)
        let what = "A node uses eth0 (IPv4, IPv6), lo (IPv4). Not used: tun0 (no multicast)."
        #expect(InterfaceDiagnosis.findings(facts) == [.ok(.interfaces, "interfaces", what)])
        facts.requested = ["eth0", "tun0"]
        #expect(found(facts) == ["ok interfaces interfaces", "problem noMulticast tun0"])
    }

    @Test("What is down is left out, and a problem only if it was asked for")
    func down() {
        #expect(found(Self.machine { $0.isUp = false }) == ["problem noInterface interfaces"])
        let named = Self.machine(requested: ["eth0"]) { $0.isUp = false }
        #expect(found(named) == ["problem noInterface interfaces", "problem noInterface eth0"])
    }

    @Test("Loopback that is down is a problem of its own")
    func loopbackDown() {
        var facts = Self.machine()
        facts.interfaces[1].isUp = false
        facts.segments.removeLast()
        #expect(found(facts) == ["ok interfaces interfaces", "problem noInterface lo"])
    }

    @Test("Without an address an interface is of no use")
    func address() {
        let change: (inout InterfaceFacts) -> Void = {
            $0.hasFour = false
            $0.six = .missing
        }
        #expect(found(Self.machine(change)) == ["problem noInterface interfaces"])
        let named = Self.machine(requested: ["eth0"], change)
        #expect(found(named) == ["problem noInterface interfaces", "problem noAddress eth0"])
    }

    @Test("A cable that is not plugged in is a hint, and a problem if there is no other")
    func carrier() {
        let alone = Self.machine { $0.hasCarrier = false }
        #expect(found(alone) == ["problem noInterface interfaces", "hint noCarrier eth0"])
        var both = Self.machine()
        var bridge = InterfaceFacts(name: "docker0")
        bridge.hasCarrier = false
        bridge.six = .missing
        both.interfaces.insert(bridge, at: 0)
        both.segments.insert(Self.segment("docker0", .v4), at: 0)
        #expect(found(both) == ["ok interfaces interfaces", "hint noCarrier docker0"])
    }

    @Test("A bridge is left out quietly, with the way to use it")
    func bridge() {
        var facts = Self.machine()
        var bridge = InterfaceFacts(name: "br0")
        bridge.isPrivate = true
        bridge.six = .missing
        facts.interfaces.insert(bridge, at: 0)
        let findings = InterfaceDiagnosis.findings(facts)
        #expect(findings.count == 1)
        #expect(findings.first?.what.contains("br0 (a tunnel, bridge or container; --interface uses it)") == true)
        facts.requested = ["br0"]
        facts.segments = [Self.segment("br0", .v4)]
        #expect(found(facts).first == "ok interfaces interfaces")
    }

    @Test("One family without address is a hint", arguments: [true, false])
    func families(hasFour: Bool) {
        let facts = Self.machine {
            $0.hasFour = hasFour
            $0.six = hasFour ? .missing : .ready
        }
        #expect(found(facts) == ["ok interfaces interfaces", hasFour ? "hint noIPv6 eth0" : "hint noIPv4 eth0"])
    }

    @Test("IPv6 that is switched off is told apart, with the setting of the interface")
    func disabled() {
        var facts = Self.machine { $0.six = .disabled }
        #expect(found(facts) == ["ok interfaces interfaces", "hint ipv6Disabled eth0"])
        facts.interfaces[0].name = "eth0.7"
        let mend = InterfaceDiagnosis.findings(facts).last?.mend
        #expect(mend == "`sysctl -w net.ipv6.conf.eth0/7.disable_ipv6=0`")
    }

    @Test("A name that the system does not know is a problem, with the names that it knows")
    func unknown() {
        let facts = Self.machine(requested: ["wlan7"])
        #expect(found(facts) == ["problem noSuchInterface wlan7"])
        #expect(InterfaceDiagnosis.findings(facts).first?.mend == "Use one of: eth0, lo.")
    }

    @Test("Who asks for loopback alone is told what that means")
    func loopbackAlone() {
        #expect(found(Self.machine(requested: ["lo"])) == ["hint interfaces interfaces"])
    }

    @Test("A system without a family gets a hint, one without any a problem")
    func missingFamilies() {
        var facts = Self.machine { $0.six = .missing }
        facts.missingFamilies = [.v6]
        #expect(found(facts) == ["ok interfaces interfaces", "hint familyMissing IPv6", "hint noIPv6 eth0"])
        facts.missingFamilies = [.v4, .v6]
        #expect(found(facts).filter { $0.hasPrefix("problem familyMissing") }.count == 2)
    }
}

@Suite("IPv6 addresses as Linux lists them")
struct SixAddressTableTests {
    private static let text = """
        00000000000000000000000000000001 01 80 10 80       lo
        20010db8000000000000000000000001 02 40 00 80     eth0
        fe80000000000000389bf3fffe014148 02 40 20 c0     eth0
        fe8000000000000020053ffffe577815 03 40 20 88     eth1
        """

    @Test("The state of an interface is that of its link-local address")
    func states() {
        let table = SixAddressTable(Self.text)
        #expect(table.state(of: "lo") == .ready)
        #expect(table.state(of: "eth0") == .tentative)
        #expect(table.state(of: "eth1") == .duplicate)
        #expect(table.state(of: "eth2") == nil)
    }

    @Test("Lines that are none are left out", arguments: ["", "\n\n", "a b c", "1 2 3 4 zz eth0", "1 2 3 4 5 6 7"])
    func nonsense(text: String) {
        #expect(SixAddressTable(text) == SixAddressTable(""))
    }
}
