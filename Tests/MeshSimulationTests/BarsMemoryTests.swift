import Foundation
import MeshCore
import MeshSimulation
import Testing

/// Tests of the memory of a relay that forwards envelopes for a long time; half a minute in a release build.
@Suite("Bars of memory")
struct BarsMemoryTests {
    /// Links that accept every message and keep nothing.
    private struct Sink: LinkSending {
        mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
            true
        }

        mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool { true }

        func roundTrip(of link: LinkID) -> Duration? { .milliseconds(10) }
    }

    /// Returns the resident memory of this process.
    ///
    /// Units: bytes.
    private static func residentByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4_096
    }

    @Test("A million envelopes leave a relay no larger than the first quarter of them", .enabled(if: BarsMesh.isFull))
    func million() throws {
        var router = Router(
            configuration: MeshConfiguration.simulated.router,
            cryptography: NullCryptography(),
            random: MeshRandom(seed: 1),
            now: .zero
        )
        var links = Sink()
        var effects: [RouterEffect] = []
        for link in 1...2 as ClosedRange<UInt64> {
            router.linkUp(LinkID(link), node: NodeID(link), dialledHere: false, now: .zero, over: &links)
        }
        var now = MeshInstant.zero
        var sizes: [Int] = []
        for number in 0..<1_000_000 {
            // Each envelope takes 2.5 ms: the highest rate that a neighbour may send at, for 42 minutes.
            now = now.advanced(by: .microseconds(2_500))
            let kind: EnvelopeKind = number % 2 == 0 ? .sealed : .live
            let envelope = Envelope(kind: kind, life: 60, body: SimNet.body(number))
            let link = LinkID(UInt64(1 + number / 2 % 2))
            router.receive(envelope.encoded(), lane: .interactive, from: link, now: now, over: &links, into: &effects)
            if number % 50 == 0 {
                router.submit(
                    kind: .sealed,
                    body: SimNet.body(10_000_000 + number),
                    life: 60,
                    now: now,
                    over: &links,
                    into: &effects
                )
            }
            if router.nextDeadline <= now { router.tick(now: now, over: &links, into: &effects) }
            effects.removeAll(keepingCapacity: true)
            if number % 250_000 == 249_999 { sizes.append(try Self.residentByteCount()) }
        }
        print("FIGURE resident bytes after each quarter of a million envelopes: \(sizes)")
        #expect(sizes.count == 4)
        #expect(sizes[3] - sizes[0] < 8 << 20)
    }
}
