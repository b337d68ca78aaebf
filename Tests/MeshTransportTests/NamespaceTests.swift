#if os(Linux)
    import MeshCore
    import MeshTransport
    import Testing

    /// Hosts as network namespaces joined by cables, where interfaces come, fail and go.
    @Suite(
        "Nodes in network namespaces",
        .enabled("network namespaces need root and the ip command", Namespace.areAvailable),
        .timeLimit(.minutes(1))
    )
    struct NamespaceTests {
        private let standard = MeshNode.Configuration()

        @Test("Two hosts link over IPv4 while IPv6 is not ready, and IPv6 follows")
        func twoHosts() async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let events = EventLog()
                let left = TestNode(standard, events: events, on: hosts[0].eventLoop)
                let right = TestNode(standard, on: hosts[1].eventLoop)
                try await withRunning([left, right]) {
                    try await left.linked(to: right.id)
                    guard case .linkUp(_, _, let endpoint)? = left.outputs.all.first else {
                        Issue.record("something came before the link")
                        return
                    }
                    #expect(endpoint.interface.family == .v4)
                    try await events.wait(for: "interfaceUp", count: 3)
                }
            }
        }

        @Test("Two hosts without IPv4 link over IPv6")
        func linkLocalOnly() async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1], addresses: nil)
                let (left, right) = pair(hosts)
                try await withRunning([left, right]) {
                    try await left.linked(to: right.id)
                    await left.submit([6])
                    try await right.received([6])
                }
            }
        }

        @Test("Three nodes of one host link over its outer address")
        func manyNodesOnOneHost() async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let configuration = MeshNode.Configuration(interfaces: ["cable"])
                let nodes = (0..<3).map { _ in TestNode(configuration, on: hosts[0].eventLoop) }
                try await withRunning(nodes) {
                    for node in nodes {
                        for other in nodes where await other.id != node.id { try await node.linked(to: other.id) }
                    }
                }
            }
        }

        @Test("A host on two segments hears every beacon once, on the right interface")
        func twoSegments() async throws {
            try await withNamespaces(3) { hosts in
                try await connect(hosts[0], hosts[1], by: "west", addresses: ("10.77.1.1/24", "10.77.1.2/24"))
                try await connect(hosts[2], hosts[1], by: "east", addresses: ("10.77.2.1/24", "10.77.2.2/24"))
                let events = EventLog()
                let (west, east) = (
                    TestNode(standard, on: hosts[0].eventLoop), TestNode(standard, on: hosts[2].eventLoop)
                )
                let middle = TestNode(standard, events: events, on: hosts[1].eventLoop)
                try await withRunning([west, middle, east]) {
                    try await middle.linked(to: west.id)
                    try await middle.linked(to: east.id)
                    await west.submit([3])
                    try await east.received([3])
                    try await events.wait(for: "interfaceUp", count: 5)
                    try await events.lines.wait {
                        $0.multicasts.filter { $0.contains("family: AddressFamily.v6") }.count >= 4
                    }
                }
                #expect(events.lines.all.multicasts.count == Set(events.lines.all.multicasts).count)
                #expect(west.outputs.all.linkedNodes == [await middle.id])
            }
        }

        @Test("A node told to use loopback sends nothing anywhere else")
        func exclusive() async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let events = EventLog()
                let observer = TestNode(standard, events: events, on: hosts[1].eventLoop)
                let configuration = MeshNode.Configuration(interfaces: ["lo"], port: 4_321)
                let (one, other) = pair(hosts, configuration, sameHost: true)
                try await withRunning([observer, one, other]) {
                    try await one.linked(to: other.id)
                    try await events.wait(for: "interfaceUp", count: 3)
                    try await events.lines.wait { $0.multicasts.count >= 8 }
                    let own = await observer.node.snapshot()
                    #expect(own.neighbours == [])
                }
            }
        }

        @Test("A cable that is pulled and plugged in again carries envelopes again")
        func downAndUp() async throws {
            try await repaired { host in
                try await host.ip("link", "set", "cable", "down")
            } repair: { host in
                try await host.ip("link", "set", "cable", "up")
            }
        }

        @Test("An address that changes costs the sockets, not the mesh")
        func addressChange() async throws {
            try await repaired { host in
                try await host.ip("address", "del", "10.77.0.1/24", "dev", "cable")
            } repair: { host in
                try await host.ip("address", "add", "10.77.0.9/24", "dev", "cable")
            }
        }

        @Test("A firewall that forbids sending for a while costs the sockets, not the mesh")
        func firewall() async throws {
            try await repaired { host in
                try await host.run("nft", "add table inet wall")
                try await host.run(
                    "nft",
                    "add chain inet wall out { type filter hook output priority 0; policy drop; }"
                )
            } repair: { host in
                try await host.run("nft", "delete table inet wall")
            }
        }

        @Test("An interface that is deleted and made again is used again")
        func recreated() async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let events = EventLog()
                let left = TestNode(standard, events: events, on: hosts[0].eventLoop)
                let right = TestNode(standard, on: hosts[1].eventLoop)
                try await withRunning([left, right]) {
                    try await left.linked(to: right.id)
                    try await hosts[0].ip("link", "del", "cable")
                    try await events.wait(for: "interfaceDown")
                    try await connect(hosts[0], hosts[1])
                    await left.submit([5])
                    try await right.received([5])
                }
            }
        }

        /// Links two hosts, breaks the left one, waits until its sockets are gone, repairs it and passes an envelope.
        private func repaired(
            _ breakIt: (Namespace) async throws -> Void,
            repair: (Namespace) async throws -> Void
        ) async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let events = EventLog()
                let left = TestNode(standard, events: events, on: hosts[0].eventLoop)
                let right = TestNode(standard, on: hosts[1].eventLoop)
                try await withRunning([left, right]) {
                    try await left.linked(to: right.id)
                    try await breakIt(hosts[0])
                    await left.submit([1])
                    try await events.wait(for: "interfaceDown")
                    try await repair(hosts[0])
                    await left.submit([2])
                    try await right.received([1])
                    try await right.received([2])
                }
            }
        }

        private func pair(
            _ hosts: [Namespace],
            _ configuration: MeshNode.Configuration = MeshNode.Configuration(),
            sameHost: Bool = false
        ) -> (TestNode, TestNode) {
            var second = configuration
            if configuration.port != 0 { second.port += 1 }
            return (
                TestNode(configuration, on: hosts[0].eventLoop),
                TestNode(second, on: hosts[sameHost ? 0 : 1].eventLoop)
            )
        }
    }

    extension [String] {
        /// The beacons among a node's events.
        fileprivate var multicasts: [String] {
            filter { $0.hasPrefix("datagram") && $0.hasSuffix("multicast: true)") }
        }
    }
#endif
