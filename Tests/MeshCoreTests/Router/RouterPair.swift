@testable import MeshCore

/// Two routers with one link between them; every message arrives at once, in order or in reverse order.
struct RouterPair {
    var benches: [RouterBench]
    /// The messages that each side has sent so far.
    private(set) var sent: [[[UInt8]]] = [[], []]
    private(set) var effects: [[RouterEffect]] = [[], []]
    private let reversesOrder: Bool

    /// Makes two nodes that are not yet connected; the first is the one that dials.
    init(_ configurations: [RouterConfiguration] = [], reversesOrder: Bool = false, seed: UInt64 = 1) {
        benches = (0..<2).map { side in
            RouterBench(
                side < configurations.count ? configurations[side] : RouterConfiguration(),
                seed: seed + UInt64(side)
            )
        }
        self.reversesOrder = reversesOrder
    }

    mutating func hold(_ numbers: some Sequence<Int>, at side: Int) { benches[side].hold(numbers) }

    mutating func connect() {
        benches[0].connect(1, dialledHere: true)
        benches[1].connect(1)
        sendStatus()
    }

    /// Advances the time in steps of 100 ms; the sides exchange their summaries every second.
    mutating func pass(_ duration: Duration) {
        for step in 0..<Int(duration / .milliseconds(100)) {
            for side in 0..<2 { benches[side].pass(.milliseconds(100)) }
            exchange()
            if step % 10 == 9 { sendStatus() }
        }
    }

    mutating func sendStatus() {
        for side in 0..<2 {
            effects[side] += benches[side].hear(benches[1 - side].router.summary, on: 1)
        }
        exchange()
    }

    mutating func exchange() {
        while true {
            let messages = benches.indices.map { benches[$0].links.takeSent() }
            if messages.allSatisfy(\.isEmpty) { return }
            for side in 0..<2 {
                sent[side] += messages[side].map(\.message)
                let order = reversesOrder ? messages[side].reversed() : messages[side]
                for message in order {
                    effects[1 - side] += benches[1 - side].receive(message.message, on: 1, lane: message.lane)
                }
            }
        }
    }

    /// The size of all messages that compare stores so far, in both directions, without envelopes.
    ///
    /// Units: bytes.
    var comparisonByteCount: Int {
        sent.joined().filter { $0.first.map { $0 >> 4 == 0 } ?? false }.reduce(0) { $0 + $1.count }
    }

    /// Returns the number of messages of one side that begin with this byte.
    func count(_ type: UInt8, from side: Int) -> Int { sent[side].count { $0.first == type } }

    var isEqual: Bool { benches[0].router.summary == benches[1].router.summary }
}
