import MeshCore
import Testing

@testable import MeshSimulation

@Suite("Conversations of whole nodes")
struct ConversationScenarioTests {
    /// Runs a hall of six hosts in which all talk; so few are all linked, and no rotation ends a way.
    private static func figures(crash: [Int] = []) -> [ScenarioFigure: Double] {
        var scenario = Scenario("talk", .clique(6), seed: 1)
        (scenario.linking, scenario.channel) = (.whole, SharedChannel())
        scenario.patience = .seconds(5)
        scenario.converse(200, perMinute: 600, seed: 1)
        // They crash after all have talked with them.
        if !crash.isEmpty { scenario.events = [ScenarioEvent(at: .zero, .crash(crash))] }
        return scenario.run().figures
    }

    @Test("Messages and receipts of those who have talked before go along the ways between them")
    func carried() throws {
        let figures = Self.figures()
        print("FIGURE a talk of six hosts: \(figures[.postsPerMessage] ?? -1) posts a message")
        #expect(figures[.delivered] == 1 && figures[.acknowledged] == 1)
        #expect(try #require(figures[.postsPerMessage]) < 0.2)
        #expect(try #require(figures[.envelopesPerMessage]) < 2.2)
    }

    @Test("The hall of 50 carries 10,000 messages a minute within its bars", arguments: [1, 2] as [UInt64])
    func hall(seed: UInt64) throws {
        var settings = ScenarioSettings()
        settings.seed = seed
        let result = try NamedScenario.air50.scenario(settings).run()
        print("FIGURE a hall of 50: \(result.figures)")
        #expect(result.isWithinBar)
        #expect(try #require(result.figures[.postsPerMessage]) < 0.35)
    }

    @Test("In large groups receipts are gathered, most of them are carried, and few posts release them")
    func groups() throws {
        var settings = ScenarioSettings()
        settings.nodeCount = 60
        let figures = try NamedScenario.airGroup.scenario(settings).run().figures
        print("FIGURE groups of 32 and 59: \(figures)")
        #expect(figures[.delivered] == 1)
        #expect(try #require(figures[.acknowledged]) > 0.9)
        // Each of 31 and of 16 members tells of five messages at once. Before it was one post for each message.
        #expect(try #require(figures[.envelopesPerMessage]) < 12)
        #expect(try #require(figures[.postsPerMessage]) < 6)
    }

    @Test("Ways that are used outlast the rotation of links")
    func rotation() throws {
        var scenario = Scenario("talk", .clique(24), seed: 1)
        scenario.linking = .whole
        scenario.patience = .seconds(5)
        scenario.converse(1_200, perMinute: 600, seed: 1)
        let figures = scenario.run().figures
        print("FIGURE a talk of 24 hosts for two minutes: \(figures[.postsPerMessage] ?? -1) posts a message")
        #expect(figures[.delivered] == 1 && figures[.acknowledged] == 1)
        // One message in fifty begins a conversation, by a post and the delivery proof that ends it.
        #expect(try #require(figures[.postsPerMessage]) < 0.07)
    }

    @Test("A tenth of the messages in the hall of 50 goes to absent hosts, and few begin a conversation")
    func absent() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var settings = ScenarioSettings()
            settings.seed = seed
            let scenario = try NamedScenario.air50.scenario(settings)
            let pairs = scenario.messages.map { [$0.author, $0.recipients[0]] }
            #expect(pairs.count { $0[1] % 10 == 4 } == pairs.count / 10)
            #expect(pairs.allSatisfy { $0[0] % 10 != 4 && $0[0] != $0[1] })
            let begun = Set(pairs.filter { $0[1] % 10 != 4 }.map { $0.sorted() })
            #expect((25...60).contains(begun.count), "\(begun.count)")
        }
    }

    @Test("A carried message whose recipient is gone is posted after two seconds")
    func posted() throws {
        let few = try #require(Self.figures()[.postsPerMessage])
        let more = Self.figures(crash: [3, 4])
        #expect(try #require(more[.postsPerMessage]) > few + 0.1, "\(few)")
        // Those who are gone are due nothing; all others get everything.
        #expect(more[.delivered] == 1)
    }
}
