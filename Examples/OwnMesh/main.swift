// A mesh of your own in virtual time: two villages and a road between them, which is cut and repaired.
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
let wait = (result.messages[1].completion ?? .zero).components.seconds
print("OwnMesh: a message waited \(wait) s for the road, and then was everywhere")
