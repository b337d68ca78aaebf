#if os(Linux)
    import MeshCore
    import MeshSimulation
    import MeshTransport
    import Testing

    /// Tests with network namespaces as hosts, joined by cables, whose interfaces appear, fail and disappear.
    @Suite(
        "Nodes in network namespaces",
        .enabled("network namespaces need root and the ip command", Namespace.areAvailable),
        .timeLimit(.minutes(30))
    )
    struct NamespaceTests {
        private static let standard = MeshNode.Configuration(mesh: .simulated)

        @Test("Two hosts link over IPv4 while IPv6 is not ready, and IPv6 follows")
        func twoHosts() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1])
                    let events = EventLog()
                    let left = TestNode(NamespaceTests.standard, events: events, on: hosts[0].eventLoop)
                    let right = TestNode(NamespaceTests.standard, on: hosts[1].eventLoop)
                    try await withRunning([left, right]) {
                        try await left.linked(to: right.id)
                        guard case .linkUp(_, _, let endpoint)? = left.outputs.all.first else {
                            Issue.record("something came before the link")
                            return
                        }
                        #expect(endpoint.interface.family == .v4)
                        try await events.wait(count: 3) { $0.openedInterface != nil }
                    }
                }
            }
        }

        @Test("Two hosts without IPv4 link over IPv6")
        func linkLocalOnly() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1], addresses: nil)
                    let (left, right) = NamespaceTests.pair(hosts)
                    try await withRunning([left, right]) {
                        try await left.linked(to: right.id)
                        await left.submit([6])
                        try await right.received([6])
                    }
                }
            }
        }

        @Test("Three nodes of one host link over its outer address")
        func manyNodesOnOneHost() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1])
                    let configuration = MeshNode.Configuration(mesh: .simulated, interfaces: ["cable"])
                    let nodes = (0..<3).map { _ in TestNode(configuration, on: hosts[0].eventLoop) }
                    try await withRunning(nodes) {
                        for node in nodes {
                            for other in nodes where await other.id != node.id { try await node.linked(to: other.id) }
                        }
                    }
                }
            }
        }

        @Test("A host on two segments hears every beacon once, on the right interface")
        func twoSegments() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(3) { hosts in
                    try await connect(hosts[0], hosts[1], by: "west", addresses: ("10.77.1.1/24", "10.77.1.2/24"))
                    try await connect(hosts[2], hosts[1], by: "east", addresses: ("10.77.2.1/24", "10.77.2.2/24"))
                    let events = EventLog()
                    let (west, east) = (
                        TestNode(NamespaceTests.standard, on: hosts[0].eventLoop),
                        TestNode(NamespaceTests.standard, on: hosts[2].eventLoop)
                    )
                    let middle = TestNode(NamespaceTests.standard, events: events, on: hosts[1].eventLoop)
                    try await withRunning([west, middle, east]) {
                        try await middle.linked(to: west.id)
                        try await middle.linked(to: east.id)
                        await west.submit([3])
                        try await east.received([3])
                        try await events.wait(count: 5) { $0.openedInterface != nil }
                        try await events.wait(count: 4) { $0.multicastInterface?.family == .v6 }
                    }
                    let beacons = events.events.all.filter { $0.multicastInterface != nil }.map {
                        String(describing: $0)
                    }
                    #expect(beacons.count == Set(beacons).count)
                    #expect(west.outputs.all.linkedNodes == [await middle.id])
                }
            }
        }

        @Test("A node that starts again and again on one port is found by one link, never finds itself, misses no mail")
        func restarts() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1])
                    let steady = TestNode(NamespaceTests.standard, on: hosts[0].eventLoop)
                    let configuration = MeshNode.Configuration(mesh: .simulated, port: 4_321)
                    try await withRunning([steady]) {
                        for round in 0..<20 {
                            await steady.submit([UInt8(round)])
                            let node = TestNode(configuration, on: hosts[1].eventLoop)
                            try await withRunning([node]) {
                                try await node.linked(to: steady.id)
                                try await steady.linked(to: node.id)
                            }
                            #expect(node.outputs.all.linkedNodes == [await steady.id])
                        }
                        let last = TestNode(configuration, on: hosts[1].eventLoop)
                        try await withRunning([last]) {
                            try await last.outputs.wait { $0.bodies.count >= 20 }
                            #expect(last.outputs.all.bodies.sorted { $0[0] < $1[0] } == (0..<20).map { [UInt8($0)] })
                        }
                    }
                    #expect(steady.outputs.all.linkedNodes.count == 21)
                    #expect(steady.outputs.all.mostLinksToOneNode == 1)
                }
            }
        }

        @Test("A static peer beyond the segment is reached as soon as there is a route to it")
        func route() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(3) { hosts in
                    try await connect(hosts, along: [(0, 1), (1, 2)])
                    try await hosts[1].run("sysctl", "-qw", "net.ipv4.ip_forward=1")
                    try await hosts[2].ip("route", "add", "10.77.0.0/24", "via", "10.77.1.1")
                    let far = TestNode(
                        MeshNode.Configuration(mesh: .simulated, useMulticast: false, port: 4_321),
                        on: hosts[2].eventLoop
                    )
                    let near = TestNode(
                        MeshNode.Configuration(mesh: .simulated, useMulticast: false, port: 4_321),
                        on: hosts[1].eventLoop
                    )
                    let events = EventLog()
                    let peers = ["10.77.1.2:4321", "10.77.0.2:4321"].compactMap(HostPort.init)
                    let caller = TestNode(
                        MeshNode.Configuration(mesh: .simulated, useMulticast: false, staticPeers: peers),
                        events: events,
                        on: hosts[0].eventLoop
                    )
                    try await withRunning([far, near, caller]) {
                        try await caller.linked(to: near.id)
                        try await events.wait(for: "cannot send")
                        try await hosts[0].ip("route", "add", "10.77.1.0/24", "via", "10.77.0.2")
                        try await caller.linked(to: far.id)
                        #expect(caller.outputs.all.mostLinksToOneNode == 1)
                        #expect(caller.outputs.all.lostNodes == [])
                        #expect(events.events.all.compactMap(\.closedInterface) == [])
                    }
                }
            }
        }

        @Test("A node told to use loopback sends nothing anywhere else")
        func exclusive() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1])
                    let events = EventLog()
                    let observer = TestNode(NamespaceTests.standard, events: events, on: hosts[1].eventLoop)
                    let configuration = MeshNode.Configuration(mesh: .simulated, interfaces: ["lo"], port: 4_321)
                    let (one, other) = NamespaceTests.pair(hosts, configuration, sameHost: true)
                    try await withRunning([observer, one, other]) {
                        try await one.linked(to: other.id)
                        try await events.wait(count: 3) { $0.openedInterface != nil }
                        try await events.wait(count: 8) { $0.multicastInterface != nil }
                        let own = await observer.node.snapshot()
                        #expect(own.neighbours == [])
                    }
                }
            }
        }

        private static func pair(
            _ hosts: [Namespace],
            _ configuration: MeshNode.Configuration = MeshNode.Configuration(mesh: .simulated),
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
#endif
