import Testing

@testable import ChatCore
@testable import Earshot

@Suite("What a room's node tells the node of the home")
struct EventRelayTests {
    /// Reads until the relay has nothing more.
    ///
    /// Returns one word for each output.
    private static func drain(_ relay: EventRelay, _ limit: Int = .max) async -> [String] {
        var words: [String] = []
        for await output in relay.outputs {
            relay.taken(output)
            switch output {
            case .event(.linkUp(let count)): words.append("\(count)")
            case .event(.lagged(let count)): words.append("lagged \(count)")
            case .event: words.append("other")
            case .transition(.ends): words.append("ends")
            case .transition(.entered): words.append("entered")
            case .transition: words.append("news")
            }
            if words.count == limit { break }
        }
        return words
    }

    @Test("No more events wait than the limit, news are never dropped, and who missed events is told how many")
    func limit() async {
        let relay = EventRelay(SystemEnvironment())
        relay.yield(.transition(.entered))
        for number in 0..<ChatLimits.eventBacklog + 7 { relay.yield(.event(.linkUp(count: number))) }
        relay.yield(.transition(.over(.closed)))
        let kept = (0..<ChatLimits.eventBacklog).map { "\($0)" }
        let all = await Self.drain(relay, ChatLimits.eventBacklog + 3)
        #expect(all == ["entered"] + kept + ["news", "lagged 7"])
        relay.yield(.event(.linkUp(count: 5)))
        relay.finish()
        #expect(await Self.drain(relay) == ["5"])
    }

    @Test("However often the end comes nearer, one word of it waits")
    func ends() async {
        let relay = EventRelay(SystemEnvironment())
        for second in 0..<1_000 { relay.yield(.transition(.ends(in: .seconds(1_000 - second)))) }
        relay.yield(.event(.linkUp(count: 1)))
        #expect(await Self.drain(relay, 2) == ["ends", "1"])
        relay.yield(.transition(.ends(in: .zero)))
        relay.finish()
        #expect(await Self.drain(relay) == ["ends"])
    }
}
