import Bytes
import Testing

@testable import MeshCore

@Suite("Beacon")
struct BeaconTests {
    private static let beacon = Beacon(
        flags: .solicit,
        unicastPort: 0xABCD,
        node: NodeID(0x0102_0304_0506_0708),
        interval: 0x1112,
        sequence: 0x1314,
        shelf: Shelf(of: 0x1516, depth: 16),
        minutes: 0x2122_2324,
        networkTag: 0x4142_4344
    )

    private static let bytes: [UInt8] = [
        0x45, 0x41, 0x52, 0x31, 0x01, 0x01, 0xAB, 0xCD, 1, 2, 3, 4, 5, 6, 7, 8,
        0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x10, 0, 0, 0, 0, 0, 0x21, 0x22, 0x23, 0x24, 0x41, 0x42, 0x43, 0x44,
    ]

    private static let closed = StubCryptography(tags: [0x4142_4344, 0x99], beaconKey: [1, 2, 3])
    private static let address = ipv4(10, 0, 0, 7)

    /// Opens a beacon of this address, with room for checks of other tags.
    private static func open(
        _ bytes: [UInt8],
        from address: IPAddress = address,
        by cryptography: StubCryptography = closed
    ) -> Beacon? {
        var otherTags = TokenBucket(rate: 1, burst: 1)
        return Beacon(opening: bytes, from: address, by: cryptography, otherTags: &otherTags, now: .zero)
    }

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
            bytes.prefix(22) + [17] + bytes.dropFirst(23), bytes.prefix(22) + [4] + bytes.dropFirst(23),
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(Beacon(decoding: bytes[...]) == nil)
    }

    @Test("What is reserved is ignored")
    func reserved() {
        var bytes = Self.bytes
        for place in 23..<28 { bytes[place] = 0xFF }
        #expect(Beacon(decoding: bytes[...]) == Self.beacon)
    }

    @Test("A closed mesh adds its tag and a MAC over beacon and address, and opens what it sealed")
    func closedMesh() {
        let sealed = Self.beacon.sealed(from: Self.address, by: Self.closed)
        var expected = Self.bytes
        expected[5] = 0x05
        let code = Self.closed.authenticationCode(of: expected + [10, 0, 0, 7], key: [1, 2, 3])
        #expect(sealed == expected + code)
        var opened = Self.beacon
        opened.flags.insert(.authenticated)
        #expect(Self.open(sealed) == opened)
        #expect(Self.open(sealed, from: ipv4(10, 0, 0, 8)) == nil)
    }

    @Test("A beacon of a wrong day is taken if its MAC fits, a thousand times a second")
    func wrongDay() {
        let wrongClock = StubCryptography(tags: [0x1234], beaconKey: [1, 2, 3])
        let sealed = Self.beacon.sealed(from: Self.address, by: wrongClock)
        #expect(Self.open(sealed) != nil)
        var driver = DiscoveryDriver(cryptography: Self.closed)
        driver.up()
        var drops = 0
        for number in 0..<1_100 {
            var beacon = Beacon.sample(node: 0x7000 + UInt64(number), port: 1_000 + UInt16(number))
            beacon.networkTag = 0x1234
            let bytes = beacon.sealed(from: Self.address, by: wrongClock)
            let from = Endpoint(interface: DiscoveryDriver.lan, address: Self.address, port: 1)
            drops += driver.act { $0.receiveBeacon(bytes, from: from, multicast: true, now: $1, into: &$2) }
                .count { $0 == .dropped(.foreignBeacon) }
        }
        #expect(drops == 100)
        driver.now = driver.now.advanced(by: .seconds(1))
        driver.receive(.sample(node: 9))
        #expect(driver.machine.neighbours.contains { $0.node == NodeID(9) })
    }

    @Test("Another network's beacons are refused, open or closed")
    func foreign() {
        let sealed = Self.beacon.sealed(from: Self.address, by: Self.closed)
        let otherKey = StubCryptography(tags: Self.closed.tags, beaconKey: [1, 2, 4])
        let open = StubCryptography()
        #expect(Self.open(sealed, by: otherKey) == nil)
        #expect(Self.open(sealed, by: open) == nil)
        #expect(Self.open(Self.beacon.sealed(from: Self.address, by: open)) == nil)
        #expect(Self.open(Self.bytes) == nil)
        #expect(Self.open(Self.bytes, by: open) == nil)
    }

    @Test("Any damaged bit of an authenticated beacon is noticed")
    func damage() {
        let sealed = Self.beacon.sealed(from: Self.address, by: Self.closed)
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= UInt8(1 << (bit % 8))
            #expect(Self.open(damaged) == nil, "bit \(bit)")
        }
        #expect(Self.open(Array(sealed.dropLast())) == nil)
        #expect(Self.open(sealed + [0]) == nil)
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
                bytes[Int.random(in: 5..<Beacon.byteCount, using: &random)] = UInt8.random(
                    in: .min ... .max,
                    using: &random
                )
            }
            let length = Bool.random(using: &random) ? Beacon.byteCount : Int.random(in: 0...60, using: &random)
            bytes = Array((bytes + random.bytes(count: 20)).prefix(length))
            let host = UInt8.random(in: 1...5, using: &random)
            let from = DiscoveryDriver.endpoint(host)
            _ = driver.act { $0.receiveBeacon(bytes, from: from, multicast: true, now: $1, into: &$2) }
            driver.run(for: .milliseconds(2))
            #expect(driver.machine.neighbours.count <= 20)
            #expect(driver.machine.interfaces[0].answers.count <= configuration.answerLimit)
            #expect(driver.machine.overlay.dials.count <= 4 * configuration.dialRate)
        }
    }
}
