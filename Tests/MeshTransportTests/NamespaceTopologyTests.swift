import MeshSimulation
#if os(Linux)
    import MeshCore
    import MeshTransport
    import Testing

    /// Tests of lines and grids of real hosts; radio is not covered: loss here is random, never in bursts.
    @Suite(
        "Meshes of network namespaces",
        .enabled("network namespaces need root and the ip and nft commands", Namespace.areAvailable),
        .serialized,
        .timeLimit(.minutes(30))
    )
    struct NamespaceTopologyTests {
        private static let row = Topology(hostCount: 5, edges: (0..<4).map { ($0, $0 + 1) })
        /// A grid of three rows with three hosts each.
        private static let square = Topology(
            hostCount: 9,
            edges: [
                (0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8),
            ]
        )

        @Test("Every message crosses a line of five hosts once", arguments: [0, 10, 30])
        func fiveInALine(lossPercent: Int) async throws {
            try await withMesh(Self.row, lossPercent: lossPercent) { nodes, _ in
                try await exchange(between: nodes, "line of 5, \(lossPercent) % loss")
            }
        }

        @Test("Every message reaches every host of a grid once", arguments: [0, 10, 30])
        func grid(lossPercent: Int) async throws {
            try await withMesh(Self.square, lossPercent: lossPercent) { nodes, _ in
                try await exchange(between: nodes, "grid of 9, \(lossPercent) % loss")
            }
        }

        @Test("A link of a grid that is cut while messages flow costs none of them", arguments: Cut.allCases)
        func cutLink(cut: Cut) async throws {
            try await withMesh(Self.square, lossPercent: 0) { nodes, hosts in
                let clock = ContinuousClock()
                var longest = Duration.zero
                for number in 0..<120 {
                    if number == 40 { try await cut.apply(to: Self.square, hosts, edge: (0, 1)) }
                    if number == 80 { try await cut.apply(to: Self.square, hosts, edge: (5, 8)) }
                    let start = clock.now
                    await nodes[0].submit([UInt8(number)])
                    try await nodes[8].received([UInt8(number)])
                    longest = max(longest, start.duration(to: clock.now))
                }
                let all = (0..<120).map { [UInt8($0)] }
                for node in nodes.dropFirst() {
                    try await node.outputs.wait { $0.bodies.count >= all.count }
                    #expect(node.outputs.all.bodies.sorted { $0[0] < $1[0] } == all)
                }
                print("FIGURE longest pause of a corner-to-corner message with two links \(cut): \(longest)")
            }
        }

        /// The ways to cut a cable.
        enum Cut: CaseIterable {
            /// Both ends see that their interface is down.
            case pulled
            /// Nothing arrives any more, and neither end is notified.
            case silent

            func apply(to topology: Topology, _ hosts: [Namespace], edge: (Int, Int)) async throws {
                let cable = "cable\(try #require(topology.edges.firstIndex { $0 == edge }))"
                switch self {
                case .pulled: try await hosts[edge.0].ip("link", "set", cable, "down")
                case .silent:
                    try await hosts[edge.0].filter("cut", "input", "iifname \(cable) drop")
                    try await hosts[edge.1].filter("cut", "input", "iifname \(cable) drop")
                }
            }
        }

        struct Topology {
            let hostCount: Int
            let edges: [(Int, Int)]
        }

        /// Runs a node on every host, each linked to its neighbours, during `body`.
        private func withMesh(
            _ topology: Topology,
            lossPercent: Int,
            _ body: ([TestNode], [Namespace]) async throws -> Void
        ) async throws {
            try await withNamespaces(topology.hostCount) { hosts in
                for host in hosts { try await host.lose(percent: lossPercent) }
                try await connect(hosts, along: topology.edges)
                let nodes = hosts.map { TestNode(MeshNode.Configuration(mesh: .simulated), on: $0.eventLoop) }
                let clock = ContinuousClock()
                try await withRunning(nodes) {
                    let start = clock.now
                    for (left, right) in topology.edges {
                        try await nodes[left].linked(to: nodes[right].id)
                        try await nodes[right].linked(to: nodes[left].id)
                    }
                    print(
                        "FIGURE \(hosts.count) hosts linked at \(lossPercent) % loss \(start.duration(to: clock.now))"
                    )
                    try await body(nodes, hosts)
                    for node in nodes { #expect(!node.outputs.all.linkedNodes.contains(await node.id)) }
                }
            }
        }

        /// Lets every node send, and waits until every other node has each message once.
        private func exchange(between nodes: [TestNode], _ name: String) async throws {
            let clock = ContinuousClock()
            let start = clock.now
            let rounds = 5
            for round in 0..<rounds {
                for (number, node) in nodes.enumerated() { await node.submit([UInt8(number), UInt8(round)]) }
            }
            for (number, node) in nodes.enumerated() {
                let others = nodes.indices.filter { $0 != number }
                let expected = others.flatMap { other in (0..<rounds).map { [UInt8(other), UInt8($0)] } }
                try await node.outputs.wait { $0.bodies.count >= expected.count }
                #expect(node.outputs.all.bodies.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) } == expected)
            }
            print("FIGURE \(rounds * nodes.count) messages everywhere in a \(name): \(start.duration(to: clock.now))")
        }
    }
#endif
