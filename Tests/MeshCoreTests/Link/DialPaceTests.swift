import Testing

@testable import MeshCore

@Suite("Pace of dials")
struct DialPaceTests {
    private static let usual = [20, 40, 80, 160, 320, 640, 1_280, 2_560]

    @Test("A peer that never answers changes no further dial")
    func nobody() {
        var network = LinkNetwork()
        network.dead = [1]
        #expect((0..<3).map { _ in Self.resendTimes(&network) } == [Self.usual, Self.usual, Self.usual])
    }

    @Test(
        "After an answer that came too late the next dial repeats its INIT from 640 ms on, and after a quick one from 20"
    )
    func lateAnswer() {
        var network = LinkNetwork(conditions: LinkNetwork.Conditions(delay: .milliseconds(1_600)))
        #expect(Self.resendTimes(&network) == Self.usual)
        network.run(for: .seconds(4))
        #expect(network.tables[0].links.isEmpty && network.tables[0].dialPace.delay == .milliseconds(640))
        network.dead = [1]
        #expect(Self.resendTimes(&network) == [640, 1_280, 2_560])
        network.dead = []
        network.conditions.delay = .milliseconds(1)
        network.dial(0, to: 1)
        network.run(for: .milliseconds(100))
        #expect(network.tables[0].links.count == 1 && network.tables[0].dialPace.delay == .milliseconds(20))
    }

    @Test("An answer sets twice its own time, and of failed dials only the last ones are known")
    func bounds() {
        let configuration = LinkConfiguration()
        var pace = DialPace(configuration)
        for number in 0...configuration.maximumDialCount { pace.noteFailure(of: Self.dial(UInt32(number))) }
        func isLate(_ connection: UInt32, from host: Int = 1, after milliseconds: Int64) -> Bool {
            let now = MeshInstant.zero.advanced(by: .milliseconds(milliseconds))
            return pace.noteAnswer(toConnection: connection, from: LinkNetwork.endpoint(host), now: now)
        }
        let answers = [isLate(0, after: 100), isLate(1, from: 2, after: 100)]
        #expect(answers == [false, false], "the oldest is forgotten, and only the dialled host answers")
        #expect(pace.delay == .milliseconds(20))
        let first = isLate(1, after: 100)
        #expect(first && pace.delay == .milliseconds(200))
        pace.noteAnswer(to: Self.dial(1), now: .zero)
        #expect(pace.delay == .milliseconds(20))
        let again = isLate(1, after: 9_000)
        #expect(!again && pace.delay == .milliseconds(20), "each counts once")
        let last = isLate(2, after: 9_000)
        #expect(last && pace.delay == .milliseconds(640))
    }

    private static func dial(_ connection: UInt32) -> Dial {
        Dial(
            to: nil,
            at: LinkNetwork.endpoint(1),
            from: NodeID(1),
            key: NullLinkCryptography(meshKey: 1, firstEphemeral: 0).nodeKey(seed: 1),
            connection: connection,
            configuration: LinkConfiguration(),
            resendDelay: .milliseconds(20),
            isRepeated: true,
            now: .zero
        )
    }

    /// Returns the times at which a dial to a host repeats its INIT.
    ///
    /// Units: milliseconds since its begin.
    private static func resendTimes(_ network: inout LinkNetwork) -> [Int] {
        network.isRecording = true
        network.sent = []
        let start = network.now
        network.dial(0, to: 1)
        let connection = network.tables[0].dials.first?.connection
        var times: [Int] = []
        while network.tables[0].dials.first?.connection == connection, connection != nil {
            let count = network.sent.count { $0.bytes.first == LinkDatagram.Initiation.type }
            network.run(for: .milliseconds(10))
            let isSent = network.sent.count { $0.bytes.first == LinkDatagram.Initiation.type } > count
            if isSent { times.append(Int(start.duration(to: network.now) / .milliseconds(1))) }
        }
        return times
    }
}
