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

    /// Answers the push of a node; returns whether a link to it is coming.
    private static func answer(_ number: Int, by driver: inout DiscoveryDriver) -> Bool {
        var isComing = false
        driver.act { isComing = $0.linkDirectly(NodeID(UInt64(number)), at: endpoint(number), now: $1, into: &$2) }
        return isComing
    }

    /// Answers the pushes of more and more nodes, and returns how many of them are dialled and linked.
    private static func linkMore(_ driver: inout DiscoveryDriver) -> Int {
        for (count, number) in (101...150).enumerated() {
            guard answer(number, by: &driver) else { return count }
            driver.link(UInt64(number), to: NodeID(UInt64(number)), at: endpoint(number))
        }
        return 50
    }

    @Test("Trails lead to twelve links beside all others, which take no place from these", arguments: [5, 16])
    func limit(linkCount: Int) {
        var driver = Self.driver(linkCount: linkCount)
        #expect(driver.machine.inboundLimit == 12)
        // Of links that came a moment ago one more may be there.
        #expect(Self.linkMore(&driver) == 13)
        #expect(driver.machine.inboundLimit == 12)
    }

    @Test("A new one takes the place of the least useful one that was not made a moment ago")
    func replaced() {
        var driver = Self.driver(linkCount: 16)
        for number in 101...112 {
            #expect(Self.answer(number, by: &driver))
            #expect(driver.link(UInt64(number), to: NodeID(UInt64(number)), at: Self.endpoint(number)) == [])
        }
        driver.now = driver.now.advanced(by: .seconds(30))
        #expect(Self.answer(113, by: &driver))
        // The driver names the youngest links first.
        let effects = driver.link(113, to: NodeID(113), at: Self.endpoint(113))
        #expect(effects == [.close(LinkID(112))])
        #expect(driver.machine.overlay.pathCount == 12)
    }

    @Test("Rotation ends links of its own choice only, and counts no others")
    func rotation() {
        var driver = Self.driver(linkCount: 4)
        #expect(Self.answer(101, by: &driver))
        driver.link(101, to: NodeID(101), at: Self.endpoint(101))
        #expect(driver.machine.overlay.dialledCount == 4)
        let overlay = driver.machine.overlay
        let order = overlay.links.map(\.info.id)
        let replaceable = overlay.replaceable(except: LinkID(99), among: order, oldestKept: 4) { _ in true }
        #expect(replaceable == nil)
    }

    @Test("Four of the forty places in all are not for these links")
    func most() {
        var configuration = DiscoveryConfiguration()
        configuration.acceptLimit = 34
        var driver = Self.driver(linkCount: 34, configuration)
        #expect(Self.linkMore(&driver) == 2)
    }

    @Test("A link that the other node dialled takes none of these places")
    func dialledThere() {
        var driver = Self.driver(linkCount: 16)
        #expect(Self.answer(101, by: &driver))
        #expect(driver.machine.overlay.pathCount == 1)
        driver.link(101, to: NodeID(101), at: Self.endpoint(101), dialledHere: false)
        #expect(driver.machine.overlay.pathCount == 0)
    }
}
