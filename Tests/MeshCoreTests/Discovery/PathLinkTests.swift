import Testing

@testable import MeshCore

@Suite("Links to nodes to which paths and trails lead")
struct PathLinkTests {
    private static func endpoint(_ number: Int) -> Endpoint {
        Endpoint(interface: DiscoveryDriver.lan, address: ipv4(10, 0, 1, UInt8(number)), port: 4_000)
    }

    /// A node with links, of which it dialled four.
    private static func driver(
        linkCount: Int,
        _ configuration: DiscoveryConfiguration = DiscoveryConfiguration()
    ) -> DiscoveryDriver {
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for number in 1...linkCount {
            let node = NodeID(UInt64(number))
            driver.link(UInt64(number), to: node, at: endpoint(number), dialledHere: number <= 4)
        }
        return driver
    }

    /// Answers the pushes of more and more nodes, and returns how many of them are dialled and linked.
    private static func linkMore(_ driver: inout DiscoveryDriver) -> Int {
        for (count, number) in (101...150).enumerated() {
            let (node, endpoint) = (NodeID(UInt64(number)), endpoint(number))
            var isComing = false
            driver.act { isComing = $0.linkDirectly(node, at: endpoint, now: $1, into: &$2) }
            guard isComing else { return count }
            driver.link(UInt64(number), to: node, at: endpoint)
        }
        return 50
    }

    @Test("A node that is full still makes eight links to which trails lead, and they take no place from others")
    func full() {
        var driver = Self.driver(linkCount: 16)
        #expect(driver.machine.inboundLimit == 12)
        #expect(Self.linkMore(&driver) == 8)
        #expect(driver.machine.inboundLimit == 12)
    }

    @Test("A node with few links makes more of them, as long as it is not full")
    func few() {
        var driver = Self.driver(linkCount: 5)
        #expect(Self.linkMore(&driver) == 11)
        #expect(driver.machine.inboundLimit == 12)
    }

    @Test("No node makes more than forty links in all")
    func most() {
        var configuration = DiscoveryConfiguration()
        configuration.acceptLimit = 38
        var driver = Self.driver(linkCount: 38, configuration)
        #expect(Self.linkMore(&driver) == 2)
    }

    @Test("A link that the other node dialled takes none of these places")
    func dialledThere() {
        var driver = Self.driver(linkCount: 16)
        driver.act { _ = $0.linkDirectly(NodeID(101), at: Self.endpoint(101), now: $1, into: &$2) }
        driver.link(101, to: NodeID(101), at: Self.endpoint(101), dialledHere: false)
        #expect(driver.machine.overlay.pathCount == 0)
    }
}
