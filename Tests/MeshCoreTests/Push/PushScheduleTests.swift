import Testing

@testable import MeshCore

@Suite("The schedule of pushes")
struct PushScheduleTests {
    private let start = MeshInstant(nanoseconds: 1_000_000_000)
    private let message = [UInt8](repeating: 7, count: 300)

    private func schedule(_ change: (inout RouterConfiguration) -> Void = { _ in }) -> PushSchedule {
        var configuration = RouterConfiguration()
        change(&configuration)
        var schedule = PushSchedule(configuration: configuration)
        schedule.setSegments([.one: true, .two: false])
        for segment in [.one, .two] as [InterfaceID] { schedule.noteMulticast(on: segment, now: start) }
        return schedule
    }

    private func later(_ milliseconds: Int64) -> MeshInstant { start.advanced(by: .milliseconds(milliseconds)) }

    @Test("An own post is pushed at once and again after 30 ms, whoever else pushes it")
    func own() {
        var schedule = schedule()
        let isPlanned = schedule.plan(5, message, on: .one, after: nil, now: start)
        #expect(isPlanned && schedule.covers(5, on: .one) && !schedule.covers(5, on: .two))
        #expect(schedule.nextDeadline == start)
        let first = schedule.takeDue(now: start)
        #expect(first.map(\.shortID) == [5] && first.map(\.message) == [message])
        schedule.noteHeard(5, on: .one)
        #expect(schedule.nextDeadline == later(30))
        let outcome1 = schedule.takeDue(now: later(29))
        #expect(outcome1.isEmpty)
        let outcome2 = schedule.takeDue(now: later(30))
        #expect(outcome2.count == 1)
        #expect(schedule.nextDeadline == .distantFuture)
    }

    @Test("A post that a link brought is not pushed any more once it was heard")
    func relayed() {
        var schedule = schedule()
        let isPlanned = schedule.plan(5, message, on: .one, after: .milliseconds(20), now: start)
        #expect(isPlanned)
        let outcome3 = schedule.takeDue(now: later(20))
        #expect(outcome3.count == 1)
        schedule.noteHeard(5, on: .two)
        schedule.noteHeard(5, on: .one)
        let outcome4 = schedule.takeDue(now: later(50))
        #expect(outcome4.isEmpty)
    }

    @Test("A post goes by links where few are, where no segment is, and if it is larger than a datagram")
    func unpushed() {
        var schedule = schedule()
        for segment in [.two, .three] as [InterfaceID] {
            let isPlanned = schedule.plan(5, message, on: segment, after: nil, now: start)
            #expect(!isPlanned)
        }
        for (byteCount, fits) in [(1_216, true), (1_217, false)] {
            let post = [UInt8](repeating: 7, count: byteCount)
            let isPlanned = schedule.plan(UInt64(byteCount), post, on: .one, after: nil, now: start)
            #expect(isPlanned == fits)
        }
    }

    @Test("A node adds pushes while half of a second's datagrams are left, and hears 400 in a second")
    func rate() {
        var schedule = schedule()
        var (planned, heard) = (0, 0)
        for number in 0..<200 {
            if schedule.plan(UInt64(number), message, on: .one, after: nil, now: start) { planned += 1 }
        }
        #expect(planned == 31)
        for _ in 0..<2_000 where schedule.hear(byteCount: 300, on: .one, now: start) { heard += 1 }
        #expect(heard == 400)
        let isPlanned = schedule.plan(500, message, on: .one, after: nil, now: later(400))
        #expect(!isPlanned)
        let isPlannedLater = schedule.plan(500, message, on: .one, after: nil, now: later(600))
        #expect(isPlannedLater)
    }

    @Test("Large datagrams count by their size")
    func size() {
        var schedule = schedule()
        var heard = 0
        for _ in 0..<2_000 where schedule.hear(byteCount: 1_232, on: .one, now: start) { heard += 1 }
        #expect(heard == 262_144 / 1_232)
        let outcome5 = schedule.plan(1, message, on: .one, after: nil, now: start)
        #expect(!outcome5)
    }

    @Test("256 pushes wait at most, and 4,096 posts are remembered")
    func limits() {
        var schedule = schedule { configuration in
            configuration.multicastCount = 10_000
            configuration.multicastByteCount = 1 << 30
        }
        var planned = 0
        for number in 0..<200 {
            if schedule.plan(UInt64(number), message, on: .one, after: .seconds(1), now: start) { planned += 1 }
        }
        #expect(planned == 128)
        for number in 1_000..<5_096 as Range<UInt64> { schedule.noteHeard(number, on: .one) }
        #expect(!schedule.covers(0, on: .one) && schedule.covers(1_000, on: .one))
        schedule.noteHeard(9_000, on: .one)
        #expect(!schedule.covers(1_000, on: .one) && schedule.covers(9_000, on: .one))
    }

    @Test("A node pushes only while multicasts come")
    func silence() {
        var schedule = schedule()
        let isPlanned = schedule.plan(5, message, on: .one, after: nil, now: later(5_000))
        #expect(!isPlanned)
        schedule.noteMulticast(on: .one, now: later(5_000))
        let isPlannedAgain = schedule.plan(5, message, on: .one, after: nil, now: later(9_999))
        #expect(isPlannedAgain)
    }

    @Test("With a segment its pushes end")
    func segments() {
        var schedule = schedule()
        let outcome6 = schedule.plan(5, message, on: .one, after: nil, now: start)
        #expect(outcome6)
        schedule.setSegments([.two: true])
        let outcome7 = schedule.takeDue(now: start)
        #expect(outcome7.isEmpty && schedule.numbers == [.two])
        let outcome8 = schedule.hear(byteCount: 300, on: .one, now: start)
        #expect(!outcome8)
        let outcome9 = schedule.plan(6, message, on: .two, after: nil, now: start)
        #expect(outcome9)
    }
}
