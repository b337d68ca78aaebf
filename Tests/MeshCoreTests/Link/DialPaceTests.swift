import Testing

@testable import MeshCore

@Suite("Pace of dials")
struct DialPaceTests {
    @Test("A dial without answer makes the next wait four times as long, up to a limit; an answer twice its own time")
    func delays() {
        var pace = DialPace(LinkConfiguration())
        var delays: [Duration] = [pace.delay]
        for _ in 0..<4 {
            pace.noteFailure()
            delays.append(pace.delay)
        }
        #expect(delays == [20, 80, 320, 640, 640].map { .milliseconds($0) })
        pace.noteAnswer(after: .milliseconds(150))
        #expect(pace.delay == .milliseconds(300))
        pace.noteAnswer(after: .seconds(2))
        #expect(pace.delay == .milliseconds(640))
        pace.noteAnswer(after: .microseconds(300))
        #expect(pace.delay == .milliseconds(20))
    }

    @Test("After a dial that nobody answered the next one repeats its INIT later, and after an answer as before")
    func dials() {
        var network = LinkNetwork()
        network.dead = [1]
        let first = Self.resendTimes(&network)
        let second = Self.resendTimes(&network)
        #expect(first == [20, 40, 80, 160, 320, 640, 1_280, 2_560] && second == [80, 160, 320, 640, 1_280, 2_560])
        #expect(network.tables[0].dialPace.delay == .milliseconds(320))
        network.dead = []
        network.dial(0, to: 1)
        network.run(for: .milliseconds(100))
        #expect(network.tables[0].links.count == 1 && network.tables[0].dialPace.delay == .milliseconds(20))
    }

    /// Returns the times at which a dial to a host repeats its INIT.
    ///
    /// Units: milliseconds since its begin.
    private static func resendTimes(_ network: inout LinkNetwork) -> [Int] {
        network.isRecording = true
        network.dial(0, to: 1)
        let start = network.now
        var times: [Int] = []
        while !network.tables[0].dials.isEmpty {
            let count = network.sent.count
            network.run(for: .milliseconds(10))
            if network.sent.count > count { times.append(Int(start.duration(to: network.now) / .milliseconds(1))) }
        }
        return times
    }
}
