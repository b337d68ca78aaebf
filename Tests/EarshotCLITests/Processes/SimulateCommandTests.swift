import Foundation
import MeshSimulation
import Testing

@testable import EarshotCLI

@Suite("Simulation by command", .timeLimit(.minutes(30)))
struct SimulateCommandTests {
    @Test(
        "Bad options end with 64 and name the option and what it takes",
        arguments: [
            (["gossip"], "gossip"), ([], "<scenario>"), (["line", "--nodes", "1"], "--nodes: `line` takes 2 to 10000"),
            (["rgg", "--nodes", "10001"], "--nodes"), (["barbell", "--nodes", "1001"], "4 to 1000"),
            (["spammer", "--nodes", "26"], "25 nodes around one relay"), (["grid", "--loss", "0.95"], "--loss"),
            (["grid", "--loss", "nan"], "--loss"), (["grid", "--loss", "10%"], "--loss"),
            (["grid", "--messages", "0"], "--messages"), (["grid", "--seed", "-1"], "--seed"),
            (["rgg", "--nodes", "10000", "--messages", "101"], "100 messages at most"),
            (["rgg", "--degree", "2"], "--degree: The degree must be between 3 and 50"),
            (["line", "--degree", "8"], "--degree"), (["line", "--list"], "--list takes no scenario"),
            (["air-50", "--degree", "8"], "--degree"), (["linkkill", "--nodes", "3"], "`linkkill` takes 4 to 500"),
        ]
    )
    func usage(arguments: [String], reason: String) async throws {
        let run = try await EarshotProcess.run(["simulate"] + arguments)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(run.output == "")
    }

    @Test("The same options give the same output and the same picture in another process, another seed others")
    func repeatable() async throws {
        let folder = try TemporaryFolder()
        func simulate(_ seed: Int, _ file: String) async throws -> EarshotProcess.Run {
            let options = ["--nodes", "40", "--loss", "0.2", "--messages", "5", "--seed", "\(seed)"]
            return try await EarshotProcess.run(["simulate", "churn", "--svg", folder.path(file)] + options)
        }
        let runs = [try await simulate(7, "a"), try await simulate(7, "b"), try await simulate(8, "c")]
        let pictures = try ["a", "b", "c"].map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
        #expect(runs.map(\.status) == [0, 0, 0], "\(runs[0].errors)")
        #expect(runs[0].output == runs[1].output && pictures[0] == pictures[1])
        #expect(runs[0].output != runs[2].output && pictures[0] != pictures[2])
        #expect(pictures[0].split(separator: "<circle ").count == 41)
        #expect(runs[0].output.contains(/\nNodes +40\nLinks +\d+, \d\.\d a node\nLoss +20 %\n/), "\(runs[0].output)")
        #expect(runs[0].output.contains(/\nSwitched off +8 nodes\n/), "\(runs[0].output)")
        // Standard error is no terminal here: there is no progress, only one line with the values that differ from
        // run to run.
        #expect(runs[0].errors.hasPrefix("Took ") && runs[0].errors.split(separator: "\n").count == 1)
    }

    @Test("A hall with groups, whose receipts are gathered and posted, has the same trace in another process")
    func repeatableGroups() async throws {
        let options = ["--nodes", "60", "--messages", "30", "--seed", "1", "--json", "--quiet"]
        let runs = [
            try await EarshotProcess.run(["simulate", "air-group"] + options),
            try await EarshotProcess.run(["simulate", "air-group"] + options),
        ]
        #expect(runs[0].output.contains("\"trace\""), "\(runs[0].errors)")
        #expect(runs[0].output == runs[1].output)
    }

    @Test("With --json there is one value with the keys that programs rely on, and --quiet leaves nothing else")
    func json() async throws {
        let run = try await EarshotProcess.run([
            "simulate", "partition", "--nodes", "10", "--messages", "4", "--json", "--quiet",
        ])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output.split(separator: "\n").count == 1)
        let value = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let keys = [
            "bar", "events", "figures", "links", "loss", "measured", "messages", "nodes", "recovery", "scenario",
            "seed",
            "switchedOff", "trace", "virtualSeconds", "withinBar",
        ]
        #expect(value.keys.sorted() == keys)
        let figures = try #require(value["figures"] as? [String: Any])
        let figureKeys = [
            "controlPerRx", "copies", "coverage", "drops", "hops", "latency", "missed", "txPerRx",
        ]
        #expect(figures.keys.sorted() == figureKeys)
        #expect((figures["latency"] as? [String: Any])?.keys.sorted() == ["max", "p50", "p99"])
        #expect(figures["copies"] as? Int == 36 && figures["coverage"] as? Int == 1)
        #expect((value["trace"] as? String)?.count == 16)
    }

    @Test("The list has each name once, with its kind and where it runs")
    func list() async throws {
        let run = try await EarshotProcess.run(["--json", "simulate", "--list"])
        #expect(run.status == 0 && run.errors == "")
        let value = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let entries = try #require(value["scenarios"] as? [[String: String]])
        #expect(entries.compactMap { $0["name"] } == NamedScenario.allCases.map(\.name))
        #expect(entries.allSatisfy { $0.keys.sorted() == ["kind", "name", "summary", "where"] })
        #expect(Set(entries.compactMap { $0["kind"] }) == ["calm", "air", "attack"])
        #expect(Set(entries.compactMap { $0["where"] }) == ["gate", "demand"])
        let text = try await EarshotProcess.run(["simulate", "--list"])
        #expect(
            text.output.contains(/\nair-50 +air +gate +50 hosts/)
                && text.output.split(separator: "\n").count == entries.count + 1
        )
    }

    @Test("An attack has its figures beside those without it, and --check fails because one is outside the bar")
    func attack() async throws {
        // So much loss lets nobody join in time.
        let options = ["outsider", "--nodes", "5", "--messages", "3", "--loss", "0.9", "--json", "--quiet"]
        let run = try await EarshotProcess.run(["simulate"] + options)
        #expect(run.status == 0 && run.errors == "")
        let value = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(value["scenario"] as? String == "outsider" && value["withinBar"] as? Bool == false)
        let limit = try #require((value["bar"] as? [[String: Any]])?.first)
        #expect(limit.keys.sorted() == ["atMost", "figure", "measured", "within"])
        #expect(limit["figure"] as? String == "joinTime" && limit["within"] as? Bool == false)
        let (with, without) = (value["measured"] as? [String: Any], value["withoutAdversary"] as? [String: Any])
        #expect(with?["delivered"] != nil && without?["delivered"] != nil)
        #expect(with?["trafficRatio"] != nil && without?["trafficRatio"] == nil)
        #expect(value["figures"] == nil && value["airtime"] == nil)
        let checked = try await EarshotProcess.run(["simulate", "--check"] + options)
        #expect(checked.status == 1 && checked.output == run.output)
        #expect(checked.errors.contains("Outside the bar: join time."))
        let line = try await EarshotProcess.run(["simulate", "line", "--nodes", "4", "--check"])
        #expect(line.status == 0 && line.output.contains("\nWithin the bar."))
    }

    @Test("A channel has its airtime by cause, in JSON and as a chart")
    func air() async throws {
        let options = ["simulate", "air-50", "--nodes", "6", "--messages", "10"]
        let json = try await EarshotProcess.run(options + ["--json"])
        let value = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let airtime = try #require(value["airtime"] as? [String: Double])
        #expect(Set(airtime.keys) == Set(Airtime.Cause.allCases.map(\.rawValue)))
        #expect(try #require(airtime["way"]) > 0 && airtime.values.allSatisfy { $0 < 1 })
        let text = try await EarshotProcess.run(options)
        #expect(text.status == 0 && text.output.contains(/\nway +[0-9.]+ % +#+\n/), "\(text.output)")
        #expect(text.output.contains(/\nLatency p99 +[0-9.]+ ms +at most 1000 ms/), "\(text.output)")
    }

    @Test("Where a picture has no place is said before anything is simulated")
    func noPlace() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.path("missing/mesh.svg"), folder.url.path] {
            let run = try await EarshotProcess.run(["simulate", "line", "--nodes", "10000", "--svg", path])
            #expect(run.status == 65 && run.output == "")
            #expect(run.errors.hasPrefix("earshot: ") && run.errors.contains("director"))
        }
    }

    @Test("Figures with spam stand beside those without")
    func text() {
        var scenario = Scenario("flood", .star(4))
        scenario.events = [ScenarioEvent(at: .zero, .spam(Spam(from: 3, perSecond: 1_000, for: .milliseconds(100))))]
        scenario.messages = [ScenarioMessage(at: .zero, author: 1)]
        let lines = SimulationText.lines(scenario.run())
        #expect(
            lines.contains {
                $0.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) } == ["WITH SPAM", "WITHOUT"]
            }
        )
        #expect(lines.contains { $0.hasPrefix("Coverage     100 %, 3 of 3 copies  100 %, 3 of 3 copies") }, "\(lines)")
    }
}
