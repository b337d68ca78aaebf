import Testing

@testable import MeshCore

@Suite("Beacon")
struct BeaconTests {
    private static let beacon = Beacon(
        flags: [.solicit, .full],
        unicastPort: 0xABCD,
        node: NodeID(0x0102_0304_0506_0708),
        interval: 0x1112,
        sequence: 0x1314,
        linkCount: 0x15,
        freeSlotCount: 0x16,
        visibleCount: 0x1718,
        root: NodeID(0x2122_2324_2526_2728),
        rootSequence: 0x3132_3334,
        networkTag: 0x4142_4344
    )

    private static let bytes: [UInt8] = [
        0x45, 0x41, 0x52, 0x31, 0x01, 0x09, 0xAB, 0xCD, 1, 2, 3, 4, 5, 6, 7, 8,
        0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
        0x31, 0x32, 0x33, 0x34, 0x41, 0x42, 0x43, 0x44,
    ]

    private static let closed = StubCryptography(tags: [0x4142_4344, 0x99], beaconKey: [1, 2, 3])

    @Test("A beacon has the documented bytes")
    func knownBytes() {
        #expect(Self.beacon.encoded() == Self.bytes)
        #expect(Beacon(decoding: Self.bytes[...]) == Self.beacon)
    }

    @Test(
        "Bytes that are no beacon are refused",
        arguments: [
            [], Array(bytes.dropLast()), bytes + [0], [0x46] + bytes.dropFirst(),
            bytes.prefix(4) + [0x02] + bytes.dropFirst(5), bytes.prefix(6) + [0, 0] + bytes.dropFirst(8),
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(Beacon(decoding: bytes[...]) == nil)
    }

    @Test("A closed mesh adds its tag and a MAC, and opens what it sealed")
    func closedMesh() {
        let sealed = Self.beacon.sealed(by: Self.closed)
        var expected = Self.bytes
        expected[5] = 0x0D
        #expect(sealed == expected + Self.closed.authenticationCode(of: expected, key: [1, 2, 3]))
        var opened = Self.beacon
        opened.flags.insert(.authenticated)
        #expect(Beacon(opening: sealed, by: Self.closed) == opened)
    }

    @Test("The tag of a neighbouring day is accepted")
    func otherDay() {
        let yesterday = StubCryptography(tags: [0x99], beaconKey: [1, 2, 3])
        #expect(Beacon(opening: Self.beacon.sealed(by: yesterday), by: Self.closed) != nil)
    }

    @Test("Another network's beacons are refused, open or closed")
    func foreign() {
        let sealed = Self.beacon.sealed(by: Self.closed)
        let otherKey = StubCryptography(tags: Self.closed.tags, beaconKey: [1, 2, 4])
        let otherTag = StubCryptography(tags: [7], beaconKey: [1, 2, 3])
        let open = StubCryptography()
        #expect(Beacon(opening: sealed, by: otherKey) == nil)
        #expect(Beacon(opening: sealed, by: otherTag) == nil)
        #expect(Beacon(opening: sealed, by: open) == nil)
        #expect(Beacon(opening: Self.beacon.sealed(by: open), by: Self.closed) == nil)
        #expect(Beacon(opening: Self.bytes, by: Self.closed) == nil)
    }

    @Test("Any damaged bit of an authenticated beacon is noticed")
    func damage() {
        let sealed = Self.beacon.sealed(by: Self.closed)
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= UInt8(1 << (bit % 8))
            #expect(Beacon(opening: damaged, by: Self.closed) == nil, "bit \(bit)")
        }
        #expect(Beacon(opening: Array(sealed.dropLast()), by: Self.closed) == nil)
        #expect(Beacon(opening: sealed + [0], by: Self.closed) == nil)
    }

    @Test("Hostile beacons never trap, and no table outgrows its limit", arguments: [UInt64(1), 2])
    func hostile(seed: UInt64) {
        var random = MeshRandom(seed: seed)
        var configuration = DiscoveryConfiguration()
        configuration.neighbourLimit = 20
        configuration.newNeighbourRate = 1_000
        var driver = DiscoveryDriver(configuration)
        driver.up()
        for _ in 0..<10_000 {
            var bytes = Beacon.sample(node: UInt64.random(in: 0..<100, using: &random)).encoded()
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                bytes[Int.random(in: 5..<40, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            let length = Bool.random(using: &random) ? 40 : Int.random(in: 0...60, using: &random)
            bytes = Array((bytes + random.bytes(count: 20)).prefix(length))
            let host = UInt8.random(in: 1...5, using: &random)
            let from = DiscoveryDriver.endpoint(host)
            let multicast = Bool.random(using: &random)
            _ = driver.act { $0.receiveBeacon(bytes, from: from, multicast: multicast, now: $1, into: &$2) }
            driver.run(for: .milliseconds(2))
            #expect(driver.machine.neighbours.count <= 20)
            #expect(driver.machine.interfaces[0].answers.count <= configuration.answerLimit)
            #expect(driver.machine.overlay.dials.count <= 4 * configuration.dialRate)
        }
    }
}
