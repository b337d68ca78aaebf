import MeshSimulation
import Testing

@testable import MeshCore

/// Tests of one node's relay over recorded links.
@Suite("Live payloads")
struct PathLiveTests {
    private static let openerLabel = PathLabel(0xA)
    private static let answererLabel = PathLabel(0xB)

    private var relay = PathRelay(configuration: PathConfiguration())
    private var links = RecordedLinks()
    private var now = MeshInstant.zero

    /// Makes a path from link 1, the source of the probe, to link 2, the source of the answer.
    init() {
        for number in 1...2 { relay.linkUp(LinkID(UInt64(number))) }
        relay.note(Trail(label: Self.openerLabel, link: LinkID(1), isProbe: true), now: now)
        let answer = PathMessage(to: Self.openerLabel, from: Self.answererLabel, hops: 1, payload: [1])
        _ = receive(answer, from: 2)
        _ = links.takeSent()
    }

    private static func live(to label: PathLabel = answererLabel, hops: UInt8 = 5) -> PathMessage {
        PathMessage(to: label, hops: hops, isLive: true, payload: [7])
    }

    private mutating func receive(_ message: PathMessage, from link: UInt64) -> [PathEffect] {
        var effects: [PathEffect] = []
        let bytes = PathFrame.routed(message).encoded()
        relay.receive(bytes, from: LinkID(link), now: now, over: &links, into: &effects)
        return effects
    }

    private mutating func receiveLive(_ message: PathMessage, from link: UInt64) -> [PathEffect] {
        var effects: [PathEffect] = []
        let bytes = PathFrame.routed(message).encoded()
        relay.receiveLive(bytes, from: LinkID(link), now: now, over: &links, into: &effects)
        return effects
    }

    private mutating func send(_ message: PathMessage) -> [PathEffect] {
        var effects: [PathEffect] = []
        relay.send(message, now: now, over: &links, into: &effects)
        return effects
    }

    @Test("A relay passes a live payload on as a live datagram, one hop older")
    mutating func passing() {
        #expect(receiveLive(Self.live(), from: 1) == [])
        #expect(receiveLive(Self.live(to: Self.openerLabel), from: 2) == [])
        let passed = [Self.live(hops: 6), Self.live(to: Self.openerLabel, hops: 6)].map {
            PathFrame.routed($0).encoded()
        }
        #expect(links.live == [.init(bytes: passed[0], link: LinkID(2)), .init(bytes: passed[1], link: LinkID(1))])
        #expect(links.takeSent() == [])
    }

    @Test("At the ends live payloads leave as live datagrams and come out as what they are")
    mutating func ends() {
        let own = PathLabel(0xC)
        relay.note(Trail(label: own, link: nil, isProbe: true), now: now)
        #expect(receiveLive(Self.live(to: own), from: 1) == [.received(Self.live(to: own, hops: 6), over: LinkID(1))])
        #expect(send(Self.live()) == [])
        #expect(links.live == [.init(bytes: PathFrame.routed(Self.live()).encoded(), link: LinkID(2))])
        #expect(send(Self.live(to: PathLabel(9))) == [.lost(PathLabel(9))])
    }

    @Test("What finds no room is dropped and counted, nowhere kept and never asked for again")
    mutating func noRoom() {
        links.room = 0
        #expect(receiveLive(Self.live(), from: 1) == [.dropped(.liveExpired)])
        #expect(send(Self.live()) == [.dropped(.liveExpired)])
        #expect(relay.queues.byteCount == 0)
        links.room = .max
        var effects: [PathEffect] = []
        relay.writable(LinkID(2), now: now, over: &links, into: &effects)
        #expect(effects == [])
        #expect(links.live == [])
    }

    @Test("No way to a label, or too many hops, is counted and not answered")
    mutating func noWay() {
        #expect(receiveLive(Self.live(to: PathLabel(9)), from: 1) == [.dropped(.noRoute)])
        #expect(receiveLive(Self.live(), from: 2) == [.dropped(.noRoute)])
        #expect(receiveLive(Self.live(hops: 254), from: 1) == [.dropped(.expired)])
        #expect(links.takeSent() == [])
        #expect(links.live == [])
    }

    @Test("The flag and the way of coming have to agree")
    mutating func mismatch() {
        #expect(receive(Self.live(), from: 1) == [.dropped(.malformedMessage)])
        let plain = PathMessage(to: Self.answererLabel, hops: 5, payload: [7])
        #expect(receiveLive(plain, from: 1) == [.dropped(.malformedMessage)])
        var effects: [PathEffect] = []
        let lost = PathFrame.routeLost(Self.answererLabel).encoded()
        relay.receiveLive(lost, from: LinkID(2), now: now, over: &links, into: &effects)
        #expect(effects == [.dropped(.malformedMessage)])
        #expect(relay.table.next(to: Self.answererLabel) == .link(LinkID(2)))
    }

    @Test("A link brings 200 at once and 400 a second; what is beyond is dropped")
    mutating func limit() {
        let first = (0..<201).flatMap { _ in receiveLive(Self.live(), from: 1) }
        #expect(first == [.dropped(.limited)])
        now = now.advanced(by: .milliseconds(100))
        let second = (0..<41).flatMap { _ in receiveLive(Self.live(), from: 1) }
        #expect(second == [.dropped(.limited)])
        #expect(links.live.count == 240)
    }

    @Test("Who sent live payloads last is told once when the way ends")
    mutating func linkDown() {
        _ = receiveLive(Self.live(), from: 1)
        var effects: [PathEffect] = []
        relay.linkDown(LinkID(2), now: now, over: &links, into: &effects)
        for _ in 0..<10 { _ = receiveLive(Self.live(), from: 1) }
        let lost = PathFrame.routeLost(Self.answererLabel).encoded()
        #expect(links.takeSent() == [.init(message: lost, lane: .control, tag: 0, link: LinkID(1))])
    }
}
