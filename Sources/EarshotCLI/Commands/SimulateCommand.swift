import ArgumentParser
import Foundation
import MeshSimulation

/// Runs a mesh on a virtual clock.
struct SimulateCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a mesh of up to 10,000 nodes on a virtual clock, and measure the delivery of messages.",
        discussion: """
            Runs the code of real nodes for flooding, storing and comparing stores on simulated links. It sends \
            nothing and touches no data directory. The same options give the same output on every machine.

            Each scenario has a bar: limits of its figures. A figure outside its limit is a result like others; with \
            --check it ends the command with 1.

            Scenarios; `earshot simulate --list` has a sentence for the others too:
            \(calm)

            On one radio channel, with its airtime by cause: \(names(.air)).

            With an adversary, and the figures of the same run without it: \(names(.attack)). The three that \
            end in `cpu` measure the processor of this machine.

            Tx/rx is the number of transmissions for each node that gets a message; 1 is the minimum without loss. \
            Latency counts from the moment at which links lead from the author to a node.

            Examples:
              earshot simulate rgg --nodes 1000 --loss 0.1 --svg mesh.svg
              earshot simulate churn --nodes 500 --seed 7
              earshot simulate partition --json | jq .recovery
              earshot simulate spammer --nodes 50 --degree 8
              earshot simulate air-50
              earshot simulate linkkill --json | jq .withinBar
            """
    )

    private static let calm = NamedScenario.allCases.filter { $0.kind == .calm }.map { scenario in
        "  \(DisplayText.padded(scenario.name, to: 10))\(scenario.summary)"
    }.joined(separator: "\n")

    private static func names(_ kind: NamedScenario.Kind) -> String {
        NamedScenario.allCases.filter { $0.kind == kind }.map(\.name).joined(separator: ", ")
    }

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The scenario.")
    var scenario: ScenarioArgument?

    @Flag(help: "List the scenarios; those of the gate take minutes at most, those on demand may take longer.")
    var list = false

    @Flag(help: "End with 1 if a figure is outside the bar.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "The number of nodes, 2 to 10000; some scenarios take fewer. Default: by scenario.",
            valueName: "N"
        )
    )
    var nodes: Int?

    @Option(help: ArgumentHelp("The part of all packets that is lost, 0 to 0.9.", valueName: "PART"))
    var loss = 0.0

    @Option(help: ArgumentHelp("The seed of all random choices.", valueName: "N"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of messages, 1 to 1000. Default: by scenario.", valueName: "N"))
    var messages: Int?

    @Option(
        help: ArgumentHelp(
            """
            The average number of nodes that a randomly placed node hears. Default: 12; `spammer` is a star without \
            it.
            """,
            valueName: "N"
        )
    )
    var degree: Double?

    @Option(
        help: ArgumentHelp(
            "Draw the mesh, and the time of the first message at each node, into this file.",
            valueName: "F"
        )
    )
    var svg: String?

    private var settings: ScenarioSettings {
        var settings = ScenarioSettings()
        settings.nodeCount = nodes
        settings.loss = loss
        settings.seed = seed
        settings.messageCount = messages
        settings.degree = degree
        return settings
    }

    func validate() throws {
        guard let scenario else {
            guard list else { throw ValidationError("Missing expected argument '<scenario>', or --list.") }
            return
        }
        guard !list else { throw ValidationError("--list takes no scenario.") }
        do throws(ScenarioError) {
            try scenario.name.check(settings)
        } catch {
            throw ValidationError("\(error.code.option): \(error.reason)")
        }
    }

    func perform(_ console: Console) async throws {
        guard let name = scenario?.name else {
            let output = ScenarioListOutput()
            return try console.result(output, output.lines)
        }
        let picture = try svg.map(PictureFile.init)
        var progress = ProgressLine(isQuiet: console.isQuiet)
        progress.show("Placing nodes")
        let begin = ContinuousClock.now
        let scenario = try name.scenario(settings)
        let result = scenario.run { progress.show($0.text) }
        progress.show("Summing up")
        try picture?.write(result.picture().svg)
        progress.clear()
        let output = SimulationOutput(result)
        try console.result(output, SimulationText.lines(result))
        // The time is the only output that differs from run to run, so it stays apart from the rest.
        let time = TimeText.roundTrip(begin.duration(to: .now) / .seconds(1))
        console.note("Took \(time) for \(TimeText.span(result.virtualTime)) and \(result.eventCount) events.")
        guard check, !result.isWithinBar else { return }
        throw CommandFailure(.failed, FigureText.verdict(result))
    }
}

/// The name of a scenario as an argument.
struct ScenarioArgument: ExpressibleByArgument {
    let name: NamedScenario

    init?(argument: String) {
        guard let name = NamedScenario(argument) else { return nil }
        self.name = name
    }

    static var allValueStrings: [String] { NamedScenario.allCases.map(\.name) }
}

extension ScenarioError.Code {
    /// The command-line option of this parameter.
    fileprivate var option: String {
        switch self {
        case .nodeCount: "--nodes"
        case .loss: "--loss"
        case .messageCount: "--messages"
        case .degree: "--degree"
        }
    }
}

extension ScenarioProgress {
    fileprivate var text: String {
        let work =
            switch stage {
            case .linking: "Nodes find each other"
            case .warming: "The tree takes shape"
            case .running: "Messages spread"
            case .comparing: "The same without spam or adversary"
            }
        return "\(work): \(Int(fraction * 100)) %"
    }
}

/// The file for a picture; its directory is checked before any long work begins.
private struct PictureFile {
    private let url: URL

    init(_ path: String) throws(CommandFailure) {
        url = URL(fileURLWithPath: path)
        var isDirectory: ObjCBool = false
        let folder = url.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw CommandFailure(.badData, "There is no directory \(DisplayText.safe(folder)) for the picture.")
        }
        guard !FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) || !isDirectory.boolValue
        else { throw CommandFailure(.badData, "\(DisplayText.safe(path)) is a directory; name a file in it.") }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandFailure(.refused, "\(DisplayText.safe(folder)) cannot be written. Check its permissions.")
        }
    }

    func write(_ svg: String) throws(CommandFailure) {
        do {
            try Data(svg.utf8).write(to: url, options: .atomic)
        } catch {
            throw CommandFailure(.failed, "The picture could not be written: \(error.localizedDescription)")
        }
    }
}
