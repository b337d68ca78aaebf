import MeshCore
import MeshSimulation
import Testing

@testable import MeshTransport

@Suite("What the log tells of events", .timeLimit(.minutes(30)))
struct LoggedEventTests {
    @Test("A datagram is told by its size and interface, neither by its bytes nor by whom it came from")
    func datagram() throws {
        let source = Endpoint(
            interface: InterfaceID(index: 2, family: .v4),
            address: try #require(IPAddress(bytes: [10, 1, 2, 3])),
            port: 4_321
        )
        let event = MeshEvent.datagram([7, 8, 9], from: source, multicast: true)
        #expect(LoggedEvent(event: event).description == "datagram of 3 B on 2 v4 by multicast")
    }

    @Test("An own message is told by its size")
    func submission() {
        let event = MeshEvent.submit(kind: .sealed, body: [1, 2], life: 360)
        #expect(LoggedEvent(event: event).description == "submit: kind 0, 2 B, life 360")
    }

    @Test("Effects are counted by kind, in the order of their first")
    func effects() {
        let effects: [MeshEffect] = [
            .multicast([1], on: InterfaceID(index: 0, family: .v4)), .dropped(.offLink),
            .multicast([2], on: InterfaceID(index: 1, family: .v4)),
        ]
        #expect(LoggedEffects(effects).description == "2 x multicast, dropped (offLink)")
        #expect(LoggedEffects([]).description.isEmpty)
    }
}
