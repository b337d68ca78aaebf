#if os(Linux)
    import MeshCore
    import MeshSimulation
    import MeshTransport
    import Testing

    /// Tests with network namespaces as hosts that share nothing but a TCP connection.
    @Suite(
        "Streams between network namespaces",
        .enabled("network namespaces need root and the ip command", Namespace.areAvailable),
        .timeLimit(.minutes(30))
    )
    struct NamespaceCarrierTests {
        @Test("Two hosts between which only TCP passes link over a connection, and again after it was cut")
        func onlyTCP() async {
            await #expect(processExitsWith: .success) {
                try await withNamespaces(2) { hosts in
                    try await connect(hosts[0], hosts[1])
                    for host in hosts { try await host.filter("quiet", "input", "iifname cable meta l4proto udp drop") }
                    let listening = try Carrier("listen:10.77.0.1:4321")
                    let calling = try Carrier("tcp:10.77.0.1:4321")
                    let events = EventLog()
                    let left = TestNode(
                        MeshNode.Configuration(mesh: .simulated, carriers: [listening]),
                        on: hosts[0].eventLoop
                    )
                    let right = TestNode(
                        MeshNode.Configuration(mesh: .simulated, carriers: [calling]),
                        events: events,
                        on: hosts[1].eventLoop
                    )
                    try await withRunning([left, right]) {
                        try await right.linked(to: left.id)
                        await left.submit([1])
                        try await right.received([1])
                        try await hosts[0].filter("cut", "input", "iifname cable tcp dport 4321 reject with tcp reset")
                        try await events.wait(for: "stream failed")
                        await left.submit([2])
                        try await hosts[0].unfilter("cut")
                        try await right.received([2])
                        #expect(events.events.all.compactMap(\.multicastInterface).filter { $0.index != 1 } == [])
                    }
                }
            }
        }
    }
#endif
