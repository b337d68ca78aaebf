import Testing

@testable import MeshCore

@Suite("Links to nodes whose shelves are read")
struct ShelfLinkTests {
    private static func endpoint(_ number: Int) -> Endpoint { DiscoveryDriver.endpoint(UInt8(number)) }

    /// A beacon of a node whose shelf begins with the four bits of its number.
    private static func beacon(_ number: Int, depth: UInt8 = 4) -> Beacon {
        var beacon = Beacon.sample(node: UInt64(number), flags: [], interval: 1_500)
        beacon.shelf = Shelf(of: UInt16(truncatingIfNeeded: number) << 12, depth: depth)
        return beacon
    }

    /// A node that hears many others, and has linked with four that are not among them.
    private static func driver(_ depths: [Int: UInt8] = [:]) -> DiscoveryDriver {
        var driver = DiscoveryDriver()
        driver.up()
        for number in 101...104 { driver.link(UInt64(number), to: NodeID(UInt64(number)), at: endpoint(number)) }
        for number in 1...40 {
            driver.receive(beacon(number, depth: depths[number] ?? 4), from: ipv4(10, 0, 0, UInt8(number)))
        }
        return driver
    }

    private static func seek(_ bytes: Set<Int>, by driver: inout DiscoveryDriver) -> [UInt8] {
        driver.act { $0.linkToShelf(bytes, depth: 4, now: $1, into: &$2) }.dials.map { $0.address.bytes[3] }
    }

    @Test("A node in sight that keeps the places is dialled, each time another")
    func chosen() {
        var driver = Self.driver()
        var dialled: Set<UInt8> = []
        for _ in 0..<2 { dialled.formUnion(Self.seek([0x51], by: &driver)) }
        #expect(dialled.count == 2 && dialled.isSubset(of: [5, 21, 37]))
        #expect(Self.seek([0x70], by: &driver).first.map { $0 % 16 } == 7)
    }

    @Test("One whose shelf is larger, since it has just started, is dialled only if there is no other")
    func settled() {
        var driver = Self.driver([5: 2, 21: 1])
        #expect(Self.seek([0x50], by: &driver) == [37])
        #expect(Self.seek([0x50], by: &driver).map { [5, 21].contains($0) } == [true])
        var flat = Self.driver(Dictionary(uniqueKeysWithValues: (1...40).map { ($0, 0) }))
        #expect(Self.seek([0x50], by: &flat) == [])
    }

    @Test("The link ends when the shelf has been read, and its node is left alone for ten minutes")
    func ended() {
        var driver = Self.driver()
        let number = Self.seek([0x90], by: &driver)[0]
        driver.link(1, to: NodeID(UInt64(number)), at: Self.endpoint(Int(number)))
        #expect(driver.act { $0.endShelfLink(LinkID(101), into: &$2) } == [])
        #expect(driver.act { $0.endShelfLink(LinkID(1), into: &$2) } == [.close(LinkID(1))])
        #expect(driver.act { $0.endShelfLink(LinkID(1), into: &$2) } == [])
        driver.act { $0.linkDown(LinkID(1), node: NodeID(UInt64(number)), reason: .closedHere, now: $1, into: &$2) }
        for node in [9, 25] where node != Int(number) {
            driver.now = driver.now.advanced(by: .seconds(100))
            driver.receive(Self.beacon(node), from: ipv4(10, 0, 0, UInt8(node)))
            #expect(Self.seek([0x90], by: &driver) == [UInt8(node)])
        }
        driver.receive(Self.beacon(Int(number)), from: ipv4(10, 0, 0, number))
        #expect(Self.seek([0x90], by: &driver) == [])
        driver.now = driver.now.advanced(by: .seconds(501))
        driver.receive(Self.beacon(Int(number)), from: ipv4(10, 0, 0, number))
        #expect(Self.seek([0x90], by: &driver) == [number])
    }

    @Test("Dials to read shelves take no place of the own choice")
    func ownChoice() {
        var driver = Self.driver()
        for _ in 0..<4 { _ = Self.seek(Set(0..<256), by: &driver) }
        let effects = driver.act { $0.linkDown(LinkID(101), node: NodeID(101), reason: .timedOut, now: $1, into: &$2) }
        #expect(effects.dials.count == 1)
    }

    @Test("Eight such links are made at a time, so that paths still find places")
    func limit() {
        var driver = Self.driver()
        let dialled = (0..<20).flatMap { _ in Self.seek(Set(0..<256), by: &driver) }
        #expect(Set(dialled).count == 8)
        for (count, number) in dialled.enumerated() {
            driver.link(UInt64(count), to: NodeID(UInt64(number)), at: Self.endpoint(Int(number)))
        }
        #expect(Self.seek(Set(0..<256), by: &driver) == [])
        driver.act { $0.endShelfLink(LinkID(0), into: &$2) }
        #expect(Self.seek(Set(0..<256), by: &driver).count == 1)
        #expect(Self.seek(Set(0..<256), by: &driver) == [])
        // Links that do not end count no more.
        driver.now = driver.now.advanced(by: .seconds(41))
        for number in 1...40 { driver.receive(Self.beacon(number), from: ipv4(10, 0, 0, UInt8(number))) }
        #expect(Self.seek(Set(0..<256), by: &driver).count == 1)
    }
}
