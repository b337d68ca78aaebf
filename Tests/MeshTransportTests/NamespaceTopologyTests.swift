#if os(Linux)
    import MeshCore
    import MeshSimulation
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
        func fiveInALine(lossPercent: Int) async {
            await #expect(processExitsWith: .success) { [lossPercent = lossPercent as Int] in
                try await NamespaceTopologyTests.withMesh(NamespaceTopologyTests.row, lossPercent: lossPercent) {
                    nodes,
                    _ in
                    try await NamespaceTopologyTests.exchange(between: nodes)
                }
            }
        }

        @Test("Every message reaches every host of a grid once", arguments: [0, 10, 30])
        func grid(lossPercent: Int) async {
            await #expect(processExitsWith: .success) { [lossPercent = lossPercent as Int] in
                try await NamespaceTopologyTests.withMesh(NamespaceTopologyTests.square, lossPercent: lossPercent) {
                    nodes,
                    _ in
                    try await NamespaceTopologyTests.exchange(between: nodes)
                }
            }
        }

        @Test("A link of a grid that is cut while messages flow costs none of them", arguments: Cut.allCases)
        func cutLink(cut: Cut) async {
            await #expect(processExitsWith: .success) { [cut = cut as Cut] in
                try await NamespaceTopologyTests.withMesh(NamespaceTopologyTests.square, lossPercent: 0) {
                    nodes,
                    hosts in
                    for number in 0..<120 {
                        if number == 40 { try await cut.apply(to: NamespaceTopologyTests.square, hosts, edge: (0, 1)) }
                        if number == 80 { try await cut.apply(to: NamespaceTopologyTests.square, hosts, edge: (5, 8)) }
                        await nodes[0].submit([UInt8(number)])
                        try await nodes[8].received([UInt8(number)])
                    }
                    let all = (0..<120).map { [UInt8($0)] }
                    for node in nodes.dropFirst() {
                        try await node.outputs.wait { $0.bodies.count >= all.count }
                        #expect(node.outputs.all.bodies.sorted { $0[0] < $1[0] } == all)
                    }
                }
            }
        }

        /// The ways to cut a cable.
        enum Cut: CaseIterable, Codable {
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
        private static func withMesh(
            _ topology: Topology,
            lossPercent: Int,
            _ body: ([TestNode], [Namespace]) async throws -> Void
        ) async throws {
            try await withNamespaces(topology.hostCount) { hosts in
                for host in hosts { try await host.lose(percent: lossPercent) }
                try await connect(hosts, along: topology.edges)
                let nodes = hosts.map { TestNode(MeshNode.Configuration(mesh: .simulated), on: $0.eventLoop) }
                try await withRunning(nodes) {
                    for (left, right) in topology.edges {
                        try await nodes[left].linked(to: nodes[right].id)
                        try await nodes[right].linked(to: nodes[left].id)
                    }
                    try await body(nodes, hosts)
                    for node in nodes { #expect(!node.outputs.all.linkedNodes.contains(await node.id)) }
                }
            }
        }

        /// Lets every node send, and waits until every other node has each message once.
        private static func exchange(between nodes: [TestNode]) async throws {
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
        }
    }
#endif
