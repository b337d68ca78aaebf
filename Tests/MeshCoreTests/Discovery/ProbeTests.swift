import Testing

@testable import MeshCore

@Suite("Probe")
struct ProbeTests {
    private static let question: [UInt8] =
        [0x45, 0x41, 0x52, 0x31, 0x11, 1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 8)
    private static let answer: [UInt8] = question.dropLast() + [9]

    @Test("Question and answer have the documented bytes")
    func knownBytes() {
        let question = Probe(asker: 0x0102_0304_0506_0708)
        #expect(question.encoded() == Self.question)
        #expect(Probe(decoding: Self.question) == question)
        let answer = Probe(asker: 0x0102_0304_0506_0708, answerer: 9)
        #expect(answer.encoded() == Self.answer)
        #expect(Probe(decoding: Self.answer) == answer)
    }

    @Test(
        "Bytes that are no probe are refused",
        arguments: [
            [], Array(question.dropLast()), question + [0], [0x46] + question.dropFirst(),
            question.prefix(4) + [0x12] + question.dropFirst(5), question.prefix(4) + [0x01] + question.dropFirst(5),
        ] as [[UInt8]]
    )
    func refusals(bytes: [UInt8]) {
        #expect(Probe(decoding: bytes) == nil)
    }

    @Test("A node drops probes and sends nothing", arguments: [question, answer])
    func silence(bytes: [UInt8]) {
        var driver = DiscoveryDriver()
        driver.up()
        let effects = driver.act {
            $0.receiveBeacon(bytes, from: DiscoveryDriver.endpoint(7), multicast: true, now: $1, into: &$2)
        }
        #expect(effects == [.dropped(.foreignBeacon)])
        #expect(driver.machine.neighbours == [])
    }

    @Test(
        "A question makes a node that rests say a beacon within two seconds, once; an answer does not",
        arguments: 1...5
    )
    func endOfRest(seed: UInt64) {
        var driver = DiscoveryDriver(seed: seed)
        driver.up()
        driver.run(for: .seconds(300))
        driver.run(until: driver.machine.interfaces[0].nextSteadyBeacon)
        func receive(_ bytes: [UInt8]) {
            driver.act {
                $0.receiveBeacon(bytes, from: DiscoveryDriver.endpoint(7), multicast: true, now: $1, into: &$2)
            }
        }
        receive(Self.answer)
        #expect(driver.run(for: .seconds(5)).effects.multicasts.isEmpty)
        receive(Self.question)
        let next = driver.machine.interfaces[0].nextSteadyBeacon
        #expect(driver.now.duration(to: next) <= .seconds(2))
        for _ in 0..<10 { receive(Self.question) }
        #expect(driver.machine.interfaces[0].nextSteadyBeacon == next)
    }

    @Test("An outsider reads off a beacon who is there, and whether the mesh is closed")
    func sighting() {
        let open = Beacon.sample().encoded()
        #expect(BeaconSighting(decoding: open)?.node == NodeID(0x7000))
        #expect(BeaconSighting(decoding: open)?.isOfClosedMesh == false)
        let closed = Beacon.sample().sealed(
            from: ipv4(10, 0, 0, 7),
            by: StubCryptography(tags: [7], beaconKey: [1])
        )
        #expect(BeaconSighting(decoding: closed)?.isOfClosedMesh == true)
    }

    @Test("A goodbye, a cut beacon and one with more behind it show nobody")
    func noSighting() {
        let open = Beacon.sample().encoded()
        #expect(BeaconSighting(decoding: Beacon.sample(flags: .leaving).encoded()) == nil)
        #expect(BeaconSighting(decoding: Array(open.dropLast())) == nil)
        #expect(BeaconSighting(decoding: open + [0]) == nil)
        #expect(BeaconSighting(decoding: Self.question) == nil)
    }
}
