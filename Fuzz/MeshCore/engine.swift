#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

private let start = EngineFixture()

/// Checks datagrams from anywhere, on either socket, while time passes and interfaces appear and disappear.
func fuzzEngine(_ input: [UInt8]) {
    var choices = Choices(input)
    var engine = start.engine
    var now = start.now
    while !choices.isAtEnd {
        var effects: [MeshEffect] = []
        let action = choices.byte()
        let source = LinkFixture.endpoint(action >> 4)
        switch action % 16 {
        case 0 where choices.flag():
            // An answer along the trail of the push that the fixture knows.
            let to = PathLabel(trailOf: engine.envelopeID(kind: .sealed, body: [UInt8](repeating: 2, count: 24)))
            let answer = PathMessage(to: to, from: PathLabel(7), hops: 0, isEnvelope: true, payload: [1])
            engine.handle(.sendOnPath(answer), at: now, into: &effects)
        case 0: engine.handle(EngineFixture.interfaceUp(1), at: now, into: &effects)
        case 1: engine.handle(.interfaceDown(EngineFixture.interface), at: now, into: &effects)
        case 2: engine.handle(.addStaticPeer(source), at: now, into: &effects)
        case 3, 4: now = now.advanced(by: .milliseconds(choices.number(below: action % 16 == 3 ? 100 : 60_000)))
        case 5:
            let submission = MeshEvent.submit(kind: .live, body: [choices.byte()], life: 5)
            engine.handle(submission, at: now, into: &effects)
        default:
            let bytes = choices.variant(of: start.datagrams[Int(choices.byte()) % start.datagrams.count])
            engine.handle(.datagram(bytes, from: source, multicast: choices.flag()), at: now, into: &effects)
        }
        var count = 0
        while engine.nextDeadline <= now {
            engine.handle(.tick, at: now, into: &effects)
            count += 1
            precondition(count < 200, "always something due")
        }
        precondition(engine.router.machine.store.count <= limits.store.envelopeCount)
        for case .send(let bytes, _) in effects { precondition(bytes.count <= LinkProtocol.maximumDatagramByteCount) }
    }
    // A snapshot of all tables costs as much as the events between, so the target takes only one.
    precondition(engine.snapshot.neighbours.count <= 8)
}
