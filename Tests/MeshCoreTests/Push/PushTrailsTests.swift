import Testing

@testable import MeshCore

@Suite("The trails of pushes")
struct PushTrailsTests {
    private let start = MeshInstant(nanoseconds: 1_000_000_000)

    private func payload(to label: UInt64) -> PathMessage {
        PathMessage(to: PathLabel(label), from: PathLabel(1), hops: 0, isEnvelope: true, payload: [1])
    }

    @Test("A trail is remembered for a minute, and 8,192 at most")
    func memory() {
        var trails = PushTrails()
        trails.note(PathLabel(0), of: RouterBench.pusher, now: start)
        let almost = start.advanced(by: .milliseconds(59_999))
        #expect(trails.pusher(of: PathLabel(0), now: almost) == RouterBench.pusher)
        #expect(trails.pusher(of: PathLabel(0), now: start.advanced(by: .seconds(60))) == nil)
        for label in 1...8_192 as ClosedRange<UInt64> {
            trails.note(PathLabel(label), of: RouterBench.pusher, now: start)
        }
        #expect(trails.pusher(of: PathLabel(0), now: start) == nil)
        #expect(trails.pusher(of: PathLabel(1), now: start) != nil)
    }

    @Test("64 payloads wait at most, for a second")
    func waiting() {
        var trails = PushTrails()
        for label in 0..<64 as Range<UInt64> {
            let isHeld = trails.hold(.own(payload(to: label)), to: PathLabel(label), for: NodeID(label % 2), now: start)
            #expect(isHeld)
        }
        let isHeld = trails.hold(.own(payload(to: 64)), to: PathLabel(64), for: NodeID(0), now: start)
        #expect(!isHeld)
        let outcome1 = trails.take(for: NodeID(0))
        #expect(outcome1.map(\.label.value) == Array(stride(from: 0, to: 64, by: 2)))
        #expect(trails.nextDeadline == start.advanced(by: .seconds(1)))
        let outcome2 = trails.takeOverdue(now: start.advanced(by: .milliseconds(999)))
        #expect(outcome2.isEmpty)
        let outcome3 = trails.takeOverdue(now: start.advanced(by: .seconds(1)))
        #expect(outcome3.count == 32)
        #expect(trails.nextDeadline == .distantFuture)
    }
}
