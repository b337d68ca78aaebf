import Testing

@testable import ChatCore
@testable import Earshot

@Suite("What a room's node tells the node of the home")
struct RoomOutletTests {
    /// Reads until the outlet has nothing more, in words.
    private static func drain(_ outlet: RoomOutlet, _ limit: Int = .max) async -> [String] {
        var words: [String] = []
        for await output in outlet.outputs {
            outlet.taken(output)
            switch output {
            case .event(.linkUp(let count)): words.append("\(count)")
            case .event(.lagged(let count)): words.append("lagged \(count)")
            case .event: words.append("other")
            case .news(.ends): words.append("ends")
            case .news(.entered): words.append("entered")
            case .news: words.append("news")
            }
            if words.count == limit { break }
        }
        return words
    }

    @Test("No more events wait than the limit, news are never dropped, and who missed events is told how many")
    func limit() async {
        let outlet = RoomOutlet(media: nil)
        outlet.yield(.news(.entered))
        for number in 0..<ChatLimits.eventBacklog + 7 { outlet.yield(.event(.linkUp(count: number))) }
        outlet.yield(.news(.over(.closed)))
        let kept = (0..<ChatLimits.eventBacklog).map { "\($0)" }
        let all = await Self.drain(outlet, ChatLimits.eventBacklog + 3)
        #expect(all == ["entered"] + kept + ["news", "lagged 7"])
        outlet.yield(.event(.linkUp(count: 5)))
        outlet.finish()
        #expect(await Self.drain(outlet) == ["5"])
    }

    @Test("However often the end comes nearer, one word of it waits")
    func ends() async {
        let outlet = RoomOutlet(media: nil)
        for second in 0..<1_000 { outlet.yield(.news(.ends(in: .seconds(1_000 - second)))) }
        outlet.yield(.event(.linkUp(count: 1)))
        #expect(await Self.drain(outlet, 2) == ["ends", "1"])
        outlet.yield(.news(.ends(in: .zero)))
        outlet.finish()
        #expect(await Self.drain(outlet) == ["ends"])
    }
}
