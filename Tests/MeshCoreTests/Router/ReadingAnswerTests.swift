import Testing

@testable import MeshCore

@Suite("Answers to those who come back")
struct ReadingAnswerTests {
    private typealias Fixture = RouterBench

    @Test("A neighbour that asks for the last hours is offered what came in them, and told when that is all")
    func answers() throws {
        var bench = RouterBench()
        bench.connect(1, 2)
        let envelopes = (1...3).map { Fixture.envelope($0) }
        for envelope in envelopes {
            _ = bench.receive(envelope, on: 2)
            _ = bench.pass(.seconds(5_000))
        }
        func answer(_ hours: UInt8) -> [[UInt8]] {
            _ = bench.pass(.seconds(10))
            _ = bench.links.takeSent()
            let ask = SyncMessage.ask(salt: 9, place: SyncMessage.Ending.failed, range: .everything, hours: hours)
            _ = bench.receive(ask.encoded(), on: 1)
            return bench.links.takeSent().filter { $0.link == LinkID(1) }.map(\.message)
        }
        let end = SyncMessage.ask(salt: 9, place: SyncMessage.Ending.found, range: .everything).encoded()
        #expect(answer(0) == [Fixture.offer(envelopes.map { bench.id($0) }), end])
        #expect(answer(1) == [Fixture.offer([bench.id(envelopes[2])]), end])
        // Mail of the hour in which the two hours begin counts too.
        #expect(answer(2) == [Fixture.offer(envelopes.suffix(2).map { bench.id($0) }), end])
        #expect(answer(72) == [Fixture.offer(envelopes.map { bench.id($0) }), end])
    }

    @Test("Hours belong to a question for everything, and are at most those that a message lives")
    func decoding() {
        func decodes(_ place: UInt16, _ hours: UInt8) -> Bool {
            let ask = SyncMessage.ask(salt: 1, place: place, range: .everything, hours: hours)
            return SyncMessage(decoding: ask.encoded()) == ask
        }
        #expect(decodes(SyncMessage.Ending.failed, 72) && decodes(0, 0) && decodes(SyncMessage.Ending.found, 0))
        #expect(!decodes(SyncMessage.Ending.failed, 73) && !decodes(0, 1) && !decodes(SyncMessage.Ending.found, 1))
    }

    @Test("A store remembers for 74 hours at which position each began")
    func arrivals() {
        var arrivals = ArrivalTimes()
        #expect(arrivals.sequence(since: .zero) == 0)
        func hour(_ number: Int) -> MeshInstant { .zero.advanced(by: .seconds(3_600 * number)) }
        for number in 0..<200 {
            for part in 0..<3 {
                arrivals.note(UInt64(3 * number + part), now: hour(number).advanced(by: .seconds(1_000 * part)))
            }
        }
        #expect(arrivals.sequence(since: hour(199)) == 597)
        #expect(arrivals.sequence(since: hour(198).advanced(by: .seconds(3_599))) == 594)
        #expect(arrivals.sequence(since: hour(126)) == 378 && arrivals.sequence(since: hour(3)) == 378)
        #expect(arrivals.sequence(since: hour(201)) == .max)
    }
}
