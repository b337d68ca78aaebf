import MeshSimulation
import Testing

@testable import MeshCore

/// Tests of one node's relay over recorded links.
@Suite("Relay of paths")
struct PathRelayTests {
    private static let probeLabel = PathLabel(0xA)
    private static let answerLabel = PathLabel(0xB)

    private var relay = PathRelay(configuration: PathConfiguration())
    private var links = RecordedLinks()
    private var now = MeshInstant.zero

    private mutating func connect(_ numbers: UInt64...) {
        for number in numbers { relay.linkUp(LinkID(number)) }
    }

    private mutating func probe(_ label: PathLabel = probeLabel, from link: UInt64) {
        relay.note(Trail(label: label, link: LinkID(link), isProbe: true), now: now)
    }

    private mutating func receive(_ frame: PathFrame, from link: UInt64) -> [PathEffect] {
        var effects: [PathEffect] = []
        relay.receive(frame.encoded(), from: LinkID(link), now: now, over: &links, into: &effects)
        return effects
    }

    private mutating func send(_ message: PathMessage) -> [PathEffect] {
        var effects: [PathEffect] = []
        relay.send(message, now: now, over: &links, into: &effects)
        return effects
    }

    private mutating func writable(_ link: UInt64) -> [PathEffect] {
        var effects: [PathEffect] = []
        relay.writable(LinkID(link), now: now, over: &links, into: &effects)
        return effects
    }

    private mutating func linkDown(_ link: UInt64) -> [PathEffect] {
        var effects: [PathEffect] = []
        relay.linkDown(LinkID(link), now: now, over: &links, into: &effects)
        return effects
    }

    private static func sent(_ frame: PathFrame, _ lane: Lane, on link: UInt64) -> RecordedLinks.Sent {
        RecordedLinks.Sent(message: frame.encoded(), lane: lane, tag: 0, link: LinkID(link))
    }

    private static func message(to label: PathLabel, isBulk: Bool = false, count: Int = 4) -> PathMessage {
        PathMessage(to: label, hops: 5, isBulk: isBulk, payload: [UInt8](repeating: 7, count: count))
    }

    /// Makes a path from link 1, the source of the probe, to link 2, the source of the answer.
    private mutating func makePath() {
        connect(1, 2, 3)
        probe(from: 1)
        let answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 1, payload: [1])
        _ = receive(.routed(answer), from: 2)
        _ = links.takeSent()
    }

    @Test("A path counts once it is answered, and as lost if it ends while somebody uses it")
    mutating func counting() {
        connect(1, 2, 3)
        probe(from: 1)
        #expect([relay.openCount, relay.lostCount] == [0, 0])
        let answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 1, payload: [1])
        _ = receive(.routed(answer), from: 2)
        #expect([relay.openCount, relay.lostCount] == [1, 0])
        _ = receive(.routed(Self.message(to: Self.answerLabel)), from: 1)
        probe(PathLabel(0xC), from: 2)
        _ = linkDown(2)
        #expect([relay.openCount, relay.lostCount] == [0, 1])
    }

    @Test("An answer follows the probe back, and teaches the way to the answerer")
    mutating func answer() {
        connect(1, 2)
        probe(from: 1)
        var answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 1, payload: [1])
        #expect(receive(.routed(answer), from: 2) == [])
        answer.hops = 2
        #expect(links.takeSent() == [Self.sent(.routed(answer), .control, on: 1)])
        var request = Self.message(to: Self.answerLabel)
        #expect(receive(.routed(request), from: 1) == [])
        request.hops = 6
        #expect(links.takeSent() == [Self.sent(.routed(request), .control, on: 2)])
    }

    @Test("At the ends payloads come out, with one hop more")
    mutating func ends() {
        connect(1)
        relay.note(Trail(label: Self.probeLabel, link: nil, isProbe: true), now: now)
        #expect(relay.hasOwn)
        var answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 4, payload: [1])
        let received = receive(.routed(answer), from: 1)
        answer.hops = 5
        #expect(received == [.received(answer, over: LinkID(1))])
        let request = Self.message(to: Self.answerLabel)
        #expect(send(request) == [])
        #expect(links.takeSent() == [Self.sent(.routed(request), .control, on: 1)])
    }

    @Test("The answerer's own label comes to it")
    mutating func answerer() {
        connect(1)
        probe(from: 1)
        let answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 0, payload: [1])
        #expect(send(answer) == [])
        #expect(links.takeSent() == [Self.sent(.routed(answer), .control, on: 1)])
        var request = Self.message(to: Self.answerLabel)
        let received = receive(.routed(request), from: 1)
        request.hops = 6
        #expect(received == [.received(request, over: LinkID(1))])
    }

    @Test("Bulk, and whatever is long, goes on the last lane")
    mutating func lanes() {
        makePath()
        let bulk = Self.message(to: Self.answerLabel, isBulk: true)
        let short = Self.message(to: Self.answerLabel, count: 1_024)
        let long = Self.message(to: Self.answerLabel, count: 1_025)
        _ = receive(.routed(bulk), from: 1) + receive(.routed(short), from: 1) + receive(.routed(long), from: 1)
        #expect(links.takeSent().map(\.lane) == [.bulk, .control, .bulk])
    }

    @Test("A neighbour that sends everything ahead of bulk is put among it after 400 at once")
    mutating func controlLimit() {
        makePath()
        for _ in 0..<401 { _ = receive(.routed(Self.message(to: Self.answerLabel)), from: 1) }
        #expect(links.takeSent().map(\.lane) == [Lane](repeating: .control, count: 400) + [.bulk])
    }

    @Test("A payload for a label that nobody knows is answered with its loss, and nothing is remembered")
    mutating func unknownLabel() {
        connect(1)
        #expect(receive(.routed(Self.message(to: Self.answerLabel)), from: 1) == [.dropped(.noRoute)])
        #expect(links.takeSent() == [Self.sent(.routeLost(Self.answerLabel), .control, on: 1)])
        let answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 1, payload: [1])
        #expect(receive(.routed(answer), from: 1) == [.dropped(.noRoute)])
        #expect(relay.table.count == 0)
        #expect(send(Self.message(to: Self.answerLabel)) == [.lost(Self.answerLabel)])
    }

    @Test("The loss of a label goes back to who sent to it last", arguments: [true, false])
    mutating func loss(byLink: Bool) {
        makePath()
        _ = receive(.routed(Self.message(to: Self.answerLabel)), from: 3)
        _ = links.takeSent()
        #expect((byLink ? linkDown(2) : receive(.routeLost(Self.answerLabel), from: 2)) == [])
        #expect(links.takeSent() == [Self.sent(.routeLost(Self.answerLabel), .control, on: 3)])
        #expect(receive(.routeLost(Self.answerLabel), from: 2) == [])
        #expect(links.takeSent() == [])
    }

    @Test("The loss of a label that this node sends to is told")
    mutating func ownLoss() {
        makePath()
        #expect(send(Self.message(to: Self.answerLabel)) == [])
        #expect(linkDown(2) == [.lost(Self.answerLabel)])
    }

    @Test("Who answers a post is answered along its trail, and no path counts as open")
    mutating func envelopes() {
        connect(1, 2)
        relay.note(Trail(label: Self.probeLabel, link: LinkID(1), isProbe: false), now: now)
        let body = [UInt8](repeating: 3, count: 2_081)
        var answer = PathMessage(to: Self.probeLabel, from: Self.answerLabel, hops: 1, isEnvelope: true, payload: [])
        answer.payload = Envelope(kind: .sealed, life: 9, body: body).encoded()
        #expect(receive(.routed(answer), from: 2) == [])
        answer.hops = 2
        #expect(links.takeSent() == [Self.sent(.routed(answer), .control, on: 1)])
        #expect(relay.openCount == 0)
        relay.note(Trail(label: PathLabel(0xC), link: nil, isProbe: false), now: now)
        #expect(!relay.hasOwn)
        answer.payload.append(0)
        #expect(receive(.routed(answer), from: 2) == [.dropped(.malformedMessage)])
    }

    @Test("A payload that has come 254 hops goes no further")
    mutating func hopLimit() {
        makePath()
        var message = Self.message(to: Self.answerLabel)
        message.hops = 254
        #expect(receive(.routed(message), from: 1) == [.dropped(.expired)])
        message.hops = 253
        #expect(receive(.routed(message), from: 1) == [])
    }

    @Test("A relay keeps 64 KiB for a label whose link is full, and drops the oldest")
    mutating func relayQueue() {
        makePath()
        links.room = 0
        var effects: [PathEffect] = []
        for _ in 0..<5 {
            effects += receive(.routed(Self.message(to: Self.answerLabel, isBulk: true, count: 16_384)), from: 1)
        }
        #expect(effects == [.dropped(.pathQueueFull), .dropped(.pathQueueFull)])
        links.room = .max
        #expect(writable(2) == [])
        #expect(links.takeSent().count == 3)
    }

    @Test("What this node sends is refused once 64 KiB wait, and asked for again when half has left")
    mutating func backpressure() {
        makePath()
        let piece = Self.message(to: Self.answerLabel, isBulk: true, count: 16_384)
        links.room = 0
        #expect((0..<5).flatMap { _ in send(piece) } == [.refused(Self.answerLabel), .refused(Self.answerLabel)])
        links.room = 1
        #expect(writable(2) == [])
        links.room = 1
        #expect(writable(2) == [.ready(Self.answerLabel)])
        links.room = .max
        #expect(writable(2) == [])
        #expect(links.takeSent().count == 3)
    }
}
