// A mesh of your own in virtual time: two villages and a road between them, which is cut and repaired. Then an attacker
// comes to one of them.
import MeshSimulation

// In each village all hosts hear each other; hosts 3 and 4 hear each other too.
let villages = Topology(hostCount: 8, segments: [[0, 1, 2, 3], [3, 4], [4, 5, 6, 7]])

var scenario = Scenario("two villages", villages, loss: 0.1, seed: 42)
scenario.events = [
    ScenarioEvent(at: .seconds(1), .disconnect(3, 4)),
    ScenarioEvent(at: .seconds(60), .connect(3, 4)),
    ScenarioEvent(at: .seconds(61), .crash([0])),
]
scenario.messages = [
    ScenarioMessage(at: .zero, author: 0),
    ScenarioMessage(at: .seconds(30), author: 0),
    ScenarioMessage(at: .seconds(62), author: 7),
]
let result = scenario.run()

// The first message found a path, the second waited for one, and the third had one host fewer to reach.
precondition(result.statistics.coverage == 1)
precondition(result.messages.map(\.arrivals.count) == [7, 7, 6])
precondition(result.messages[1].completion.map { $0 > .seconds(30) && $0 < .seconds(35) } == true)
precondition(result.crashedHosts == [0])
precondition(result == scenario.run())
precondition(result.picture(ofMessage: 1).svg.contains("host 7"))

// Whole nodes meet a hostile one that writes as much as it can. The bar says how the mesh should bear it, and the figures
// of the same run without the attacker stand beside those with it.
var market = Scenario("market day", .clique(6), seed: 42)
market.linking = .whole
market.messages = [
    ScenarioMessage(at: .seconds(1), author: 0, recipients: [5]), ScenarioMessage(at: .seconds(2), author: 1),
]
market.adversary = SimAdversary(.lifefirst, links: 2, rate: 200, for: .seconds(3))
market.bar = [.atLeast(.delivered, 1), .atLeast(.acknowledged, 1), .atMost(.latencyP99, 0.5)]
let attacked = market.run()
precondition(attacked.isWithinBar, "missed: \(attacked.missedLimits)")
precondition(attacked.figures[.hostileMessages].map { $0 > 500 } == true)
precondition(attacked.figures[.trafficRatio].map { $0 > 2 } == true)
precondition(attacked.calmFigures?[.delivered] == 1)

let wait = (result.messages[1].completion ?? .zero).components.seconds
print("OwnMesh: a message waited \(wait) s for the road, and then was everywhere; an attacker stopped none")
