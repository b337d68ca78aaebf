import Testing

@testable import MeshCore

@Suite("Table of labels")
struct PathTableTests {
    private let label = PathLabel(1)
    private let near = LinkID(1)
    private let far = LinkID(2)
    private var table = PathTable(configuration: PathConfiguration())
    private var now = MeshInstant.zero

    private mutating func probe(_ label: PathLabel, over link: LinkID) {
        table.note(label, over: .link(link), now: now)
    }

    @Test("A label is forgotten 20 s after its probe")
    mutating func probedLife() {
        probe(label, over: near)
        table.expire(now: .zero.advanced(by: .seconds(20) - .nanoseconds(1)))
        #expect(table.next(to: label) == .link(near))
        #expect(table.nextExpiry == .zero.advanced(by: .seconds(20)))
        table.expire(now: .zero.advanced(by: .seconds(20)))
        #expect(table.count == 0)
        #expect(table.count(over: .link(near)) == 0)
        #expect(table.nextExpiry == .distantFuture)
    }

    @Test("A label that payloads go to lives 60 s from the last")
    mutating func usedLife() {
        probe(label, over: near)
        now = .zero.advanced(by: .seconds(19))
        #expect(table.use(label, by: .here, now: now) == .link(near))
        table.expire(now: .zero.advanced(by: .seconds(79) - .nanoseconds(1)))
        #expect(table.next(to: label) == .link(near))
        table.expire(now: .zero.advanced(by: .seconds(79)))
        #expect(table.next(to: label) == nil)
    }

    @Test("A known label keeps its way, whatever another probe or answer says, until its link ends")
    mutating func noRepointing() {
        probe(label, over: near)
        probe(label, over: far)
        table.learn(label, over: .link(LinkID(3)), now: now)
        table.note(label, over: .here, now: now)
        #expect(table.next(to: label) == .link(near))
        #expect([near, far].map { table.count(over: .link($0)) } == [1, 0])
        let losses = table.linkDown(near)
        #expect(losses == [PathTable.Loss(label: label, user: nil)])
        #expect(table.count == 0)
    }

    @Test("Only the neighbour that the way leads over can say that it is lost")
    mutating func lossByOthers() {
        probe(label, over: near)
        probe(PathLabel(2), over: far)
        #expect(table.lose(label, over: far) == nil)
        #expect(table.lose(PathLabel(9), over: near) == nil)
        #expect(table.lose(label, over: near) == PathTable.Loss(label: label, user: nil))
        #expect(table.next(to: PathLabel(2)) == .link(far))
    }

    @Test("Nothing is sent back to where it came from")
    mutating func noReturn() {
        probe(label, over: near)
        #expect(table.use(label, by: .link(near), now: now) == nil)
        #expect(table.use(label, by: .link(far), now: now) == .link(near))
    }

    @Test("One link brings 256 labels; the one that would be forgotten first makes room, of that link alone")
    mutating func linkLimit() {
        probe(PathLabel(10_000), over: far)
        for value in 0..<256 {
            now = .zero.advanced(by: .milliseconds(Int64(value)))
            probe(PathLabel(UInt64(value)), over: near)
        }
        #expect(table.count(over: .link(near)) == 256)
        #expect(table.use(PathLabel(0), by: .link(far), now: now) == .link(near))
        probe(PathLabel(256), over: near)
        #expect(table.count(over: .link(near)) == 256)
        #expect(table.next(to: PathLabel(0)) != nil)
        #expect(table.next(to: PathLabel(1)) == nil)
        #expect(table.next(to: PathLabel(10_000)) == .link(far))
    }

    @Test("4,096 labels are known; the link with the most makes room")
    mutating func totalLimit() {
        for value in 0..<4_096 { probe(PathLabel(UInt64(value)), over: LinkID(UInt64(value / 240))) }
        #expect(table.count == 4_096)
        probe(PathLabel(9_999), over: LinkID(99))
        #expect(table.count == 4_096)
        #expect(table.count(over: .link(LinkID(0))) == 239)
        #expect(table.next(to: PathLabel(0)) == nil)
        #expect(table.next(to: PathLabel(9_999)) == .link(LinkID(99)))
    }
}
