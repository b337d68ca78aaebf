import Testing

@testable import MeshCore

@Suite("Segments that pass no unicasts")
struct SilentSegmentTests {
    private static func beacon(_ number: Int, _ sequence: Int, flags: Beacon.Flags = []) -> Beacon {
        .sample(node: UInt64(number), sequence: UInt16(sequence), flags: flags, interval: 1_500)
    }

    private static func address(_ number: Int) -> IPAddress { ipv4(10, 0, 0, UInt8(number)) }

    /// Lets a node that hears forty others run, and get no answer to any dial; returns the number of dials.
    private static func run(_ driver: inout DiscoveryDriver, seconds: Int, sequence: inout Int) -> Int {
        var count = 0
        for _ in 0..<seconds {
            sequence += 1
            for number in 1...40 {
                count += driver.receive(beacon(number, sequence), from: address(number)).dials.count
            }
            count += driver.run(for: .seconds(1)).map(\.effect).dials.count
        }
        return count
    }

    @Test("A node that hears others, and gets no answer to sixteen dials, dials once a minute")
    func isolated() {
        var (driver, sequence) = (DiscoveryDriver(), 0)
        driver.up()
        let first = Self.run(&driver, seconds: 120, sequence: &sequence)
        #expect(first >= 16 && first <= 24)
        let later = Self.run(&driver, seconds: 600, sequence: &sequence)
        #expect(later >= 7 && later <= 16)
    }

    @Test("A beacon or an answer that comes by unicast, or a link, shows that dials are worth it", arguments: 0..<3)
    func reachable(sign: Int) {
        var (driver, sequence) = (DiscoveryDriver(), 0)
        driver.up()
        _ = Self.run(&driver, seconds: 180, sequence: &sequence)
        let endpoint = DiscoveryDriver.endpoint(50)
        switch sign {
        case 0: driver.receive(Self.beacon(50, 1), from: Self.address(50), multicast: false)
        case 1: driver.act { machine, now, _ in machine.answered(endpoint, now: now) }
        default: driver.link(1, to: NodeID(50), at: endpoint, dialledHere: false)
        }
        #expect(Self.run(&driver, seconds: 20, sequence: &sequence) >= 8)
    }
}
