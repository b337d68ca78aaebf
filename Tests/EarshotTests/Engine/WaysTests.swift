import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("Ways without an engine")
struct WaysTests {
    private let start = MeshInstant(nanoseconds: 1_000_000_000)

    private static func envelope(_ number: Int) -> Envelope {
        var body = [UInt8](repeating: 0, count: 268)
        (body[0], body[1]) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
        return Envelope(kind: .sealed, life: 360, body: body)
    }

    private static func id(_ number: Int) -> EnvelopeID {
        SealedEnvelope(kind: .sealed, body: envelope(number).body).id
    }

    @Test("1,024 ways are kept; the first that relays forget makes room, but none with an envelope under way")
    func limit() {
        var ways = Ways()
        for number in 0..<1_024 {
            let now = start.advanced(by: .milliseconds(Int64(number)))
            ways.follow(PathLabel(UInt64(number)), to: Numbered.peer(number), at: now)
            let message = ways.carry(Self.envelope(number), to: Numbered.peer(number), at: now)
            #expect(message != nil)
            if number > 0 { ways.expectReceipt(for: Self.id(number), from: Numbered.peer(number), at: now) }
        }
        let later = start.advanced(by: .milliseconds(1_100))
        ways.follow(PathLabel(5_000), to: Numbered.peer(5_000), at: later)
        #expect(!ways.isOpen(to: Numbered.peer(0), at: later))
        #expect(ways.isOpen(to: Numbered.peer(5_000), at: later))
        ways.expectReceipt(for: Self.id(5_000), from: Numbered.peer(5_000), at: later)
        ways.follow(PathLabel(5_001), to: Numbered.peer(5_001), at: later)
        #expect(!ways.isOpen(to: Numbered.peer(5_001), at: later))
        let silent = ways.takeSilent(at: start.advanced(by: .seconds(60)))
        #expect(silent.count == 1_024)
        #expect(silent.allSatisfy { $0.envelopes.count == 1 })
        #expect(ways.nextDeadline == .distantFuture)
    }

    @Test("A receipt is awaited for four times the last round trip, half a second to two seconds; the first for one")
    func patience() {
        var ways = Ways()
        let peer = Numbered.peer(1)
        ways.follow(PathLabel(1), to: peer, at: start)
        for (number, roundTrip, patience) in [(1, 10, 1_000), (2, 300, 500), (3, 900, 1_200), (4, 5, 2_000)] {
            ways.expectReceipt(for: Self.id(number), from: peer, at: start)
            #expect(ways.nextDeadline == start.advanced(by: .milliseconds(Int64(patience))))
            let now = start.advanced(by: .milliseconds(Int64(roundTrip)))
            #expect(ways.isUnderWay(Self.id(number)))
            let isUnderWay = ways.confirm(Self.id(number), at: now)
            #expect(isUnderWay)
            let isAgain = ways.confirm(Self.id(number), at: now)
            #expect(!isAgain)
        }
    }

    @Test("Until the peer uses the label of this end it is named, and each post brings another one")
    func ownLabels() throws {
        var ways = Ways()
        let peer = Numbered.peer(1)
        func carry(_ number: Int) -> PathMessage? {
            ways.carry(Self.envelope(number), to: peer, at: start)
        }
        ways.follow(PathLabel(1), to: peer, at: start)
        let own = try #require(carry(1)?.from)
        #expect(carry(2)?.from == own)
        ways.note(nil, of: peer, at: PathLabel(9), now: start)
        #expect(carry(3)?.from == own)
        ways.note(nil, of: peer, at: own, now: start)
        #expect(carry(4)?.from == nil)
        ways.follow(PathLabel(2), to: peer, at: start)
        let next = carry(5)
        #expect(next?.to == PathLabel(2) && next?.from != nil && next?.from != own)
        ways.note(PathLabel(3), of: peer, at: PathLabel(4), now: start)
        #expect(carry(6).map { [$0.to.value, $0.from?.value ?? 0] } == [3, 0])
    }

    @Test("4,096 carried messages are remembered, the oldest makes room, and a post of one is taken once")
    func arrivals() throws {
        var arrivals = CarriedArrivals()
        func proof(_ number: Int) throws -> DeliveryProof {
            let bytes = [UInt8](repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
            return try #require(DeliveryProof(bytes: bytes))
        }
        for number in 0...4_096 {
            arrivals.insert(
                .init(sender: Numbered.peer(1), deliveryProof: try proof(number), contents: [Numbered.message(number)])
            )
        }
        #expect(arrivals.count == 4_096)
        func covers(_ number: Int) -> Bool {
            var receipt = MessageContent.Receipt()
            receipt.delivered = [Numbered.message(number)]
            return arrivals.cover(receipt)
        }
        #expect([0, 1, 4_096].map(covers) == [false, true, true])
        arrivals.notePosted([Numbered.message(1)])
        #expect(!covers(1))
        let hash = try proof(2).hash
        #expect(arrivals.take(hash)?.contents == [Numbered.message(2)])
        #expect(arrivals.take(hash) == nil && !covers(2))
    }
}
