import MeshCore
import MeshSimulation
import Testing

@Suite("Virtual time")
struct SimClockTests {
    @Test("Events come in the order of their times, those of one time in the order they were put in")
    func order() {
        var clock = SimClock<Int>()
        for (event, time) in [(0, 5), (1, 3), (2, 5), (3, 1), (4, 3)] as [(Int, UInt64)] {
            clock.schedule(event, at: MeshInstant(nanoseconds: time))
        }
        var events: [Int] = []
        while let event = clock.next(until: MeshInstant(nanoseconds: 4)) { events.append(event) }
        #expect(events == [3, 1, 4])
        #expect(clock.now == MeshInstant(nanoseconds: 4))
        #expect(clock.nextTime == MeshInstant(nanoseconds: 5))
    }

    @Test("An event in the past happens at once; time never runs back")
    func past() {
        var clock = SimClock<Int>()
        _ = clock.next(until: MeshInstant(nanoseconds: 9))
        clock.schedule(1, at: MeshInstant(nanoseconds: 2))
        #expect(clock.next(until: MeshInstant(nanoseconds: 9)) == 1)
        #expect(clock.now == MeshInstant(nanoseconds: 9))
    }
}
