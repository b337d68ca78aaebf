import Testing

@testable import MeshCore

@Suite("When statuses go")
struct StatusScheduleTests {
    /// Notes a change at these seconds; returns when the status is due after each.
    private static func dues(changes: [Int], crowdFactor: Int, seed: UInt64 = 1) -> [Double] {
        var schedule = StatusSchedule(
            StoreSummary(digest: 0, count: 0),
            configuration: LinkConfiguration(),
            random: MeshRandom(seed: seed)
        )
        schedule.crowdFactor = crowdFactor
        schedule.noteAnnounced(now: .zero)
        return changes.map { second in
            let now = MeshInstant.zero.advanced(by: .seconds(second))
            if schedule.due <= now { schedule.noteAnnounced(now: now) }
            schedule.note(StoreSummary(digest: UInt32(second), count: 1), now: now)
            return MeshInstant.zero.duration(to: schedule.due) / .seconds(1)
        }
    }

    @Test("A status goes 1 s after a change, and 2 s after the last")
    func few() {
        #expect(Self.dues(changes: [10, 11, 20], crowdFactor: 1) == [11, 13, 22])
        #expect(Self.dues(changes: [1], crowdFactor: 1) == [2])
    }

    @Test(
        "In a crowd all these times are longer by the crowd factor, and the first begins after a quarter at the earliest"
    )
    func crowd() {
        for seed in 1...50 as ClosedRange<UInt64> {
            let dues = Self.dues(changes: [100, 110, 200], crowdFactor: 10, seed: seed)
            #expect((102.5...110).contains(dues[0]) && (202.5...220).contains(dues[2]))
            #expect((dues[1] - 130).magnitude < 0.001)
            // A store that changed twice within 10 s changes all the time.
            let busy = Self.dues(changes: [100, 110, 111, 112, 131], crowdFactor: 10, seed: seed)
            #expect(busy[1] == busy[3] && (busy[4] - 151).magnitude < 0.001, "\(busy)")
        }
    }

    @Test("The same change makes the statuses of a crowd leave at different times")
    func spread() {
        let dues = (1...50 as ClosedRange<UInt64>).map { Self.dues(changes: [100], crowdFactor: 10, seed: $0)[0] }
        #expect((dues.max() ?? 0) - (dues.min() ?? 0) > 6)
        #expect(Set(dues).count > 40)
    }
}
