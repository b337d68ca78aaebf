import Testing

@testable import MeshCore

@Suite("Component root")
struct ComponentRootTests {
    private static let own = NodeID(50)
    private static let link = LinkID(1)

    private static func time(_ milliseconds: Int) -> MeshInstant { .zero.advanced(by: .milliseconds(milliseconds)) }

    private static func status(_ root: UInt64, _ sequence: UInt32, _ hops: UInt8) -> ComponentRoot.Status {
        ComponentRoot.Status(root: NodeID(root), sequence: sequence, hops: hops)
    }

    private static func fresh() -> ComponentRoot {
        ComponentRoot(own: own, configuration: DiscoveryConfiguration(), now: .zero)
    }

    @Test("Alone, a node is its own root and counts up every ten seconds")
    func alone() {
        var root = Self.fresh()
        #expect(root.status == Self.status(50, 1, 0))
        #expect(root.nextDeadline == Self.time(10_000))
        root.tick(now: Self.time(9_999))
        #expect(root.status == Self.status(50, 1, 0))
        root.tick(now: Self.time(10_000))
        #expect(root.status == Self.status(50, 2, 0))
        #expect(root.nextDeadline == Self.time(20_000))
    }

    @Test("The lowest root heard is believed, one hop further, by the shortest way")
    func lowest() {
        var root = Self.fresh()
        root.receive(Self.status(60, 9, 0), from: Self.link, now: Self.time(1))
        #expect(root.status == Self.status(50, 1, 0))
        root.receive(Self.status(40, 3, 7), from: Self.link, now: Self.time(2))
        #expect(root.status == Self.status(40, 3, 8))
        root.receive(Self.status(40, 3, 2), from: LinkID(2), now: Self.time(3))
        #expect(root.status == Self.status(40, 3, 3))
        #expect(root.stableSince == Self.time(2))
    }

    @Test("Hops stop at 255")
    func hops() {
        var root = Self.fresh()
        root.receive(Self.status(40, 3, 255), from: Self.link, now: Self.time(1))
        #expect(root.status == Self.status(40, 3, 255))
    }

    @Test("A root without a higher counter dies exactly 35 s after it was taken, and copies do not keep it alive")
    func death() {
        var root = Self.fresh()
        root.receive(Self.status(40, 3, 0), from: Self.link, now: Self.time(1_000))
        root.receive(Self.status(40, 3, 0), from: LinkID(2), now: Self.time(30_000))
        #expect(root.nextDeadline == Self.time(36_000))
        root.tick(now: Self.time(35_999))
        #expect(root.status == Self.status(40, 3, 1))
        root.tick(now: Self.time(36_000))
        #expect(root.status == Self.status(50, 2, 0))
        #expect(root.isDead(NodeID(40), 3, now: Self.time(36_000)))
        root.receive(Self.status(40, 3, 0), from: LinkID(3), now: Self.time(36_001))
        #expect(root.status == Self.status(50, 2, 0))
        root.receive(Self.status(40, 4, 0), from: LinkID(3), now: Self.time(36_002))
        #expect(root.status == Self.status(40, 4, 1))
    }

    @Test("A higher counter gives another 35 s, a lower one nothing")
    func refresh() {
        var root = Self.fresh()
        root.receive(Self.status(40, 3, 0), from: Self.link, now: Self.time(1_000))
        root.receive(Self.status(40, 4, 0), from: Self.link, now: Self.time(11_000))
        root.receive(Self.status(40, 2, 0), from: Self.link, now: Self.time(12_000))
        #expect(root.status == Self.status(40, 4, 1))
        #expect(root.nextDeadline == Self.time(46_000))
    }

    @Test("A root that no link claims any more is not believed")
    func forget() {
        var root = Self.fresh()
        root.receive(Self.status(40, 3, 0), from: Self.link, now: Self.time(1_000))
        root.forget(Self.link, now: Self.time(2_000))
        #expect(root.status == Self.status(50, 2, 0))
    }

    @Test("A root that takes another id is believed in 35 s more, and then dies everywhere")
    func rename() {
        var root = Self.fresh()
        root.receive(Self.status(50, 1, 1), from: Self.link, now: Self.time(1_000))
        root.rename(to: NodeID(70), now: Self.time(5_000))
        #expect(root.status == Self.status(50, 2, 2))
        root.tick(now: Self.time(40_000))
        #expect(root.status.root == NodeID(70))
    }

    @Test("At most 64 roots are remembered, the believed one among them")
    func limit() {
        var root = Self.fresh()
        root.receive(Self.status(1, 1, 0), from: Self.link, now: Self.time(1))
        for other in UInt64(100)...300 {
            root.receive(Self.status(other, 1, 0), from: LinkID(2), now: Self.time(Int(other)))
        }
        #expect(root.status == Self.status(1, 1, 1))
        let late = Self.time(100_000)
        #expect((100...300).count { root.isDead(NodeID($0), 1, now: late) } == 63)
    }
}
