import Synchronization
import Testing

@testable import MeshCore

@Suite("Remembered deadline")
struct RememberedDeadlineTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// A machine that counts the reads of its deadline.
    private struct Alarm: Timed {
        var due: MeshInstant
        let pictureLoadCount = Count()

        var nextDeadline: MeshInstant {
            pictureLoadCount.value.withLock { $0 += 1 }
            return due
        }
    }

    private let first = MeshInstant(nanoseconds: 10)
    private let second = MeshInstant(nanoseconds: 5)

    @Test("It is looked for once, and again after a change")
    func once() {
        var alarm = RememberedDeadline(Alarm(due: first))
        #expect(alarm.isChanged)
        for _ in 0..<3 { #expect(alarm.deadline() == first) }
        #expect(!alarm.isChanged)
        #expect(alarm.machine.due == first)
        #expect(alarm.machine.pictureLoadCount.value.withLock { $0 } == 1)
        alarm.machine.due = second
        #expect(alarm.isChanged)
        #expect(alarm.deadline() == second)
        #expect(alarm.machine.pictureLoadCount.value.withLock { $0 } == 2)
    }
}
