import MeshCore
import Testing

/// Tests with a neighbour that implements neither codes nor summaries nor the tree, as PROTOCOL §18 allows.
@Suite("A client with the minimum")
struct MinimalClientTests {
    private let askForAll: [UInt8] = [0x03, 1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0x00, 0, 0, 0, 0]

    @Test("It gets what is held and gives what it has, and nobody begins a comparison with it")
    func mail() {
        var bench = RouterBench()
        bench.hold(0..<3)
        bench.connect(1, dialledHere: true)
        let held = (0..<3).map { bench.id(RouterBench.envelope($0, life: 60_000)) }
        _ = bench.receive(askForAll, on: 1)
        let end = RouterBench.endOfOffers(to: askForAll)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.offer(held), end])
        _ = bench.receive(RouterBench.want(held), on: 1)
        let answers = bench.links.takeSent().compactMap { Envelope(decoding: $0.message[...]) }
        #expect(answers.map(bench.id) == held)

        let own = RouterBench.envelope(9)
        _ = bench.receive(RouterBench.offer([bench.id(own)]), on: 1)
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.want([bench.id(own)])])
        #expect(bench.receive(own, on: 1).contains { if case .deliver = $0 { true } else { false } })
        for _ in 0..<120 { bench.pass(.seconds(1)) }
        #expect(bench.links.takeSent() == [])
    }

    @Test("What is announced to it comes when it asks by GRAFT")
    func announced() {
        var bench = RouterBench()
        bench.connect(1)
        _ = bench.receive([0x22], on: 1)
        _ = bench.submit(RouterBench.envelope(4))
        let id = bench.id(RouterBench.envelope(4))
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.graft([id]), on: 1)
        #expect(bench.links.takeSent().map(\.message.count) == [23])
    }
}
