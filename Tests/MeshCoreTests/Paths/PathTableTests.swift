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
        table.note(label, from: .probe, over: .link(link), now: now)
    }

    @Test("A label that nothing is sent to is forgotten after a minute")
    mutating func unusedLife() {
        probe(label, over: near)
        table.expire(now: .zero.advanced(by: .seconds(60) - .nanoseconds(1)))
        #expect(table.next(to: label) == .link(near))
        #expect(table.nextExpiry == .zero.advanced(by: .seconds(60)))
        table.expire(now: .zero.advanced(by: .seconds(60)))
        #expect(table.count == 0)
        #expect(table.count(over: .link(near)) == 0)
        #expect(table.nextExpiry == .distantFuture)
    }

    @Test("A label that payloads go to lives ten minutes from the last")
    mutating func usedLife() {
        probe(label, over: near)
        now = .zero.advanced(by: .seconds(19))
        #expect(table.use(label, by: .here, now: now) == .link(near))
        table.expire(now: .zero.advanced(by: .seconds(60)))
        table.expire(now: .zero.advanced(by: .seconds(619) - .nanoseconds(1)))
        #expect(table.next(to: label) == .link(near))
        table.expire(now: .zero.advanced(by: .seconds(619)))
        #expect(table.next(to: label) == nil)
    }

    @Test("A known label keeps its way, whatever another probe or answer says, until its link ends")
    mutating func noRepointing() {
        probe(label, over: near)
        probe(label, over: far)
        table.note(label, from: .answer, over: .link(LinkID(3)), now: now)
        table.note(label, from: .trail, over: .here, now: now)
        #expect(table.next(to: label) == .link(near))
        #expect([near, far].map { table.count(over: .link($0)) } == [1, 0])
        let losses = table.linkDown(near)
        #expect(losses == [PathTable.Loss(label: label, user: nil)])
        #expect(table.count == 0)
    }

    @Test("An own label that is no longer used leaves at once, and makes room")
    mutating func forgetOwn() {
        for number in 1...3 as ClosedRange<UInt64> {
            table.note(PathLabel(number), from: .trail, over: .here, now: now)
        }
        probe(PathLabel(9), over: near)
        for number in [1, 9, 10] as [UInt64] { table.forgetOwn(PathLabel(number)) }
        #expect(table.next(to: PathLabel(1)) == nil && table.next(to: PathLabel(2)) == .here)
        #expect(table.next(to: PathLabel(9)) == .link(near))
        #expect(table.count(over: .here) == 2 && table.count == 3)
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

    @Test("A label that is lost stays so until it is forgotten, whoever brings it again")
    mutating func lost() {
        probe(label, over: near)
        _ = table.use(label, by: .link(far), now: now)
        #expect(table.lose(label, over: near) == PathTable.Loss(label: label, user: .link(far)))
        probe(label, over: far)
        #expect(table.next(to: label) == nil)
        #expect(table.lose(label, over: near) == nil)
        now = .zero.advanced(by: .seconds(600))
        table.expire(now: .zero.advanced(by: .seconds(60)))
        table.expire(now: now)
        probe(label, over: far)
        #expect(table.next(to: label) == .link(far))
    }

    @Test("One link brings 1,024 labels; its oldest unused one makes room, then its oldest used one")
    mutating func linkLimit() {
        probe(PathLabel(10_000), over: far)
        for value in 0..<1_024 { probe(PathLabel(UInt64(value)), over: near) }
        #expect(table.count(over: .link(near)) == 1_024)
        #expect(table.use(PathLabel(0), by: .link(far), now: now) == .link(near))
        probe(PathLabel(1_024), over: near)
        #expect(table.count(over: .link(near)) == 1_024)
        #expect(table.next(to: PathLabel(0)) != nil)
        #expect(table.next(to: PathLabel(1)) == nil)
        for value in 2...1_024 { _ = table.use(PathLabel(UInt64(value)), by: .link(far), now: now) }
        probe(PathLabel(1_025), over: near)
        #expect(table.next(to: PathLabel(0)) == nil)
        #expect(table.next(to: PathLabel(1_024)) != nil)
        #expect(table.next(to: PathLabel(10_000)) == .link(far))
    }

    @Test("16,384 labels are known; the link with the most makes room")
    mutating func totalLimit() {
        for value in 0..<16_384 { probe(PathLabel(UInt64(value)), over: LinkID(UInt64(value / 1_000))) }
        #expect(table.count == 16_384)
        probe(PathLabel(99_999), over: LinkID(99))
        #expect(table.count == 16_384)
        #expect(table.count(over: .link(LinkID(0))) == 999)
        #expect(table.next(to: PathLabel(0)) == nil)
        #expect(table.next(to: PathLabel(99_999)) == .link(LinkID(99)))
    }
}
