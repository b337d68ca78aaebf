import MeshCore

/// The diagnosis of the machine's interfaces.
package enum InterfaceDiagnosis {
    /// Returns one finding about the interfaces in use, and one for each fault that prevents a node from using an
    /// interface well.
    package static func findings(_ facts: NetworkFacts) -> [Finding] {
        summary(facts) + unknownNames(facts) + missingFamilies(facts)
            + facts.interfaces.filter { isWanted($0, facts) }.flatMap { findings($0, facts) }
    }

    private static func isWanted(_ interface: InterfaceFacts, _ facts: NetworkFacts) -> Bool {
        facts.requested.isEmpty ? !interface.isPrivate : facts.requested.contains(interface.name)
    }

    // MARK: All of them

    private static func summary(_ facts: NetworkFacts) -> [Finding] {
        let isAnyKnown = facts.requested.isEmpty || facts.interfaces.contains { isWanted($0, facts) }
        guard isAnyKnown else { return [] }
        let used = usedNames(facts)
        let rest = unusedNames(facts)
        let reachable = facts.interfaces.filter { interface in
            interface.reachesOthers && facts.segments.contains { $0.interface == interface.name }
        }
        guard reachable.isEmpty else { return [.ok(.interfaces, "interfaces", "A node uses \(used).\(rest)")] }
        let what = (used.isEmpty ? "A node finds no interface to use." : "A node uses only \(used).") + rest
        let switchedOff = facts.interfaces.filter { isWanted($0, facts) && $0.lacksNothingButMulticast }
        guard switchedOff.isEmpty, !isLoopbackWanted(facts) else {
            let mend =
                switchedOff.isEmpty
                ? "Leave out --interface to check all interfaces."
                : "Fix the problems of \(switchedOff.map(\.name).joined(separator: ", ")) below."
            let why = "Only nodes of this machine can be found."
            return [.hint(.interfaces, "interfaces", what, why: why, mend: mend)]
        }
        return [
            .problem(
                .noInterface,
                "interfaces",
                what,
                why: "Nobody on another machine can be found.",
                mend: "Connect the machine to a network: plug in the cable or join the Wi-Fi, and make sure that the "
                    + "interface is up (`ip link set NAME up`) and has an address. Name a bridge or tunnel by "
                    + "--interface."
            )
        ]
    }

    private static func usedNames(_ facts: NetworkFacts) -> String {
        let families = Dictionary(grouping: facts.segments, by: \.interface)
        return families.keys.sorted().map { name in
            let list = (families[name] ?? []).map { $0.family == .v4 ? "IPv4" : "IPv6" }.joined(separator: ", ")
            return "\(name) (\(list))"
        }.joined(separator: ", ")
    }

    private static func unusedNames(_ facts: NetworkFacts) -> String {
        let used = facts.segments.map(\.interface)
        let names = facts.interfaces.filter { !used.contains($0.name) }.map { "\($0.name) (\(reason($0, facts)))" }
        return names.isEmpty ? "" : " Not used: \(names.joined(separator: ", "))."
    }

    private static func isLoopbackWanted(_ facts: NetworkFacts) -> Bool {
        let wanted = facts.interfaces.filter { facts.requested.contains($0.name) }
        return !wanted.isEmpty && wanted.allSatisfy(\.isLoopback)
    }

    private static func reason(_ interface: InterfaceFacts, _ facts: NetworkFacts) -> String {
        if !isWanted(interface, facts) {
            return facts.requested.isEmpty ? "a tunnel, bridge or container; --interface uses it" : "not requested"
        }
        if !interface.isUp { return "down" }
        if !interface.isMulticast, !interface.isLoopback { return "no multicast" }
        return "no address"
    }

    private static func unknownNames(_ facts: NetworkFacts) -> [Finding] {
        let names = facts.interfaces.map(\.name)
        return facts.requested.filter { !names.contains($0) }.map { name in
            .problem(
                .noSuchInterface,
                name,
                "There is no interface \(name).",
                why: "A node with this --interface does not start.",
                mend: "Use one of: \(names.joined(separator: ", "))."
            )
        }
    }

    private static func missingFamilies(_ facts: NetworkFacts) -> [Finding] {
        facts.missingFamilies.map { family in
            let name = family == .v4 ? "IPv4" : "IPv6"
            guard facts.missingFamilies.count > 1 else {
                return .hint(
                    .familyMissing,
                    name,
                    "This system has no \(name).",
                    why: "Nodes that have only \(name) are not found; the other family carries everything.",
                    mend: "Boot the system with \(name) (kernel option ipv6.disable=0, or its module)."
                )
            }
            return .problem(
                .familyMissing,
                name,
                "This system refuses \(name) sockets.",
                why: "The mesh needs at least one family of addresses.",
                mend: "Run Earshot outside a sandbox that forbids internet sockets."
            )
        }
    }

    // MARK: One of them

    private static func findings(_ interface: InterfaceFacts, _ facts: NetworkFacts) -> [Finding] {
        let isNamed = facts.requested.contains(interface.name)
        guard interface.isUp else { return isNamed || interface.isLoopback ? [down(interface)] : [] }
        guard !interface.isLoopback else { return [] }
        guard interface.hasAddress else { return isNamed ? [noAddress(interface)] : [] }
        guard interface.isMulticast else {
            return isNamed || interface.lacksNothingButMulticast ? [noMulticast(interface)] : []
        }
        let carrier = interface.hasCarrier ? [] : [noCarrier(interface)]
        return carrier + (four(interface) + six(interface)).filter { _ in interface.hasCarrier }
    }

    private static func down(_ interface: InterfaceFacts) -> Finding {
        .problem(
            .noInterface,
            interface.name,
            "\(interface.name) is down.",
            why: interface.isLoopback
                ? "Nodes of this machine cannot reach each other." : "Nothing is sent or heard there.",
            mend: "`ip link set \(interface.name) up`"
        )
    }

    private static func noAddress(_ interface: InterfaceFacts) -> Finding {
        .problem(
            .noAddress,
            interface.name,
            "\(interface.name) has no address.",
            why: "A node cannot send there.",
            mend: "Let the network give it one (DHCP), or set one: `ip address add 192.168.77.1/24 dev "
                + "\(interface.name)`."
        )
    }

    private static func noMulticast(_ interface: InterfaceFacts) -> Finding {
        .problem(
            .noMulticast,
            interface.name,
            "Multicast is switched off on \(interface.name).",
            why: "A node neither sends nor hears beacons there, so nobody is found.",
            mend: "`ip link set \(interface.name) multicast on`; if that is impossible, name the others: "
                + "`earshot node --peer HOST:PORT`."
        )
    }

    private static func noCarrier(_ interface: InterfaceFacts) -> Finding {
        .hint(
            .noCarrier,
            interface.name,
            "\(interface.name) is up but not connected.",
            why: "Nothing leaves the machine there.",
            mend: "Plug in the cable or join the Wi-Fi, if you want to use this interface."
        )
    }

    private static func four(_ interface: InterfaceFacts) -> [Finding] {
        guard !interface.hasFour else { return [] }
        return [
            .hint(
                .noFour,
                interface.name,
                "\(interface.name) has no IPv4 address.",
                why: "Nodes without IPv6 are not found there.",
                mend: "Let the network give it one (DHCP); do nothing if all nodes have IPv6."
            )
        ]
    }

    private static func six(_ interface: InterfaceFacts) -> [Finding] {
        switch interface.six {
        case .ready, .tentative, .duplicate: []
        case .disabled:
            [
                .hint(
                    .sixDisabled,
                    interface.name,
                    "IPv6 is switched off on \(interface.name).",
                    why: "IPv6 needs no configured addresses and finds neighbours whose IPv4 addresses do not fit.",
                    mend: "`sysctl -w net.ipv6.conf.\(interface.name.replacingDots).disable_ipv6=0`"
                )
            ]
        case .missing:
            [
                .hint(
                    .noSix,
                    interface.name,
                    "\(interface.name) has no IPv6 address.",
                    why: "IPv6 needs no configured addresses and finds neighbours whose IPv4 addresses do not fit.",
                    mend: "Let the system make a link-local one: `ip link set \(interface.name) addrgenmode eui64`, "
                        + "then down and up."
                )
            ]
        }
    }
}

extension String {
    /// The interface name in sysctl's notation.
    ///
    /// A dot in the name becomes a slash, because dots separate levels.
    fileprivate var replacingDots: String { String(map { $0 == "." ? "/" : $0 }) }
}
