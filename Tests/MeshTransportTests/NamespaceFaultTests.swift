#if os(Linux)
    import MeshCore
    import MeshSimulation
    import MeshTransport
    import Testing

    /// Tests with interfaces, addresses and firewalls that appear and disappear under running nodes.
    @Suite(
        "Faults in network namespaces",
        .enabled("network namespaces need root and the ip and nft commands", Namespace.areAvailable),
        .timeLimit(.minutes(30))
    )
    struct NamespaceFaultTests {
        @Test("A cable that is pulled and plugged in again carries envelopes again")
        func downAndUp() async {
            await #expect(processExitsWith: .success) {
                try await NamespaceFaultTests.repaired(after: .interfaceDown) { hosts in
                    try await hosts[0].ip("link", "set", "cable", "down")
                } repair: { hosts in
                    try await hosts[0].ip("link", "set", "cable", "up")
                }
            }
        }

        @Test("An address that changes costs the sockets, not the mesh")
        func addressChange() async {
            await #expect(processExitsWith: .success) {
                try await NamespaceFaultTests.repaired(after: .interfaceDown) { hosts in
                    try await hosts[0].ip("address", "del", "10.77.0.1/24", "dev", "cable")
                } repair: { hosts in
                    try await hosts[0].ip("address", "add", "10.77.0.9/24", "dev", "cable")
                }
            }
        }

        @Test("An interface that is deleted and made again is used again")
        func recreated() async {
            await #expect(processExitsWith: .success) {
                try await NamespaceFaultTests.repaired(after: .interfaceDown) {
                    hosts in
                    try await hosts[0].ip("link", "del", "cable")
                } repair: { hosts in
                    try await connect(hosts[0], hosts[1])
                }
            }
        }

        @Test("A firewall that forbids sending until the link is lost costs no socket")
        func firewall() async {
            await #expect(processExitsWith: .success) {
                try await NamespaceFaultTests.repaired(after: .linkDown) { hosts in
                    try await hosts[0].filter("wall", "output", "drop")
                } repair: { hosts in
                    try await hosts[0].unfilter("wall")
                }
            }
        }

        @Test("A firewall that forbids receiving until the link is lost costs no socket")
        func firewallOnReceiving() async {
            await #expect(processExitsWith: .success) {
                try await NamespaceFaultTests.repaired(after: .linkDown) { hosts in
                    try await hosts[0].filter("wall", "input", "drop")
                } repair: { hosts in
                    try await hosts[0].unfilter("wall")
                }
            }
        }

        private enum Sign {
            case interfaceDown, linkDown
        }

        /// Links two hosts, breaks the left one until its engine notices, repairs it and passes envelopes both ways.
        private static func repaired(
            after sign: Sign,
            _ breakIt: ([Namespace]) async throws -> Void,
            repair: ([Namespace]) async throws -> Void
        ) async throws {
            try await withNamespaces(2) { hosts in
                try await connect(hosts[0], hosts[1])
                let events = EventLog()
                let left = TestNode(MeshNode.Configuration(mesh: .simulated), events: events, on: hosts[0].eventLoop)
                let right = TestNode(MeshNode.Configuration(mesh: .simulated), on: hosts[1].eventLoop)
                try await withRunning([left, right]) {
                    try await left.linked(to: right.id)
                    try await right.linked(to: left.id)
                    try await breakIt(hosts)
                    await left.submit([1])
                    switch sign {
                    case .interfaceDown: try await events.wait { $0.closedInterface != nil }
                    case .linkDown: try await left.outputs.wait { !$0.lostNodes.isEmpty }
                    }
                    try await repair(hosts)
                    await left.submit([2])
                    try await right.received([2])
                    await right.submit([3])
                    try await right.received([1])
                    try await left.received([3])
                    if sign == .linkDown {
                        #expect(events.events.all.compactMap(\.closedInterface) == [])
                    }
                }
            }
        }
    }
#endif
