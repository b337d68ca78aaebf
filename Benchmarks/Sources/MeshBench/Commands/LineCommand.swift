import ArgumentParser

/// The command that measures two nodes that cannot hear each other.
struct LineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line",
        abstract: "Measure two nodes with relays in a row between them, each in a namespace of its own (needs root)."
    )

    @Option(help: "Relays between the two ends.")
    var relays = 1

    @Option(help: ArgumentHelp("Drop so many datagrams of 100 on every host.", valueName: "percent"))
    var loss = 0

    @Option(help: ArgumentHelp("The rate of a cable in either direction; 0 for no limit.", valueName: "Mbit/s"))
    var rate = 0

    @OptionGroup var workload: WorkloadOptions

    func validate() throws {
        guard (0...50).contains(relays), (0...99).contains(loss), (0...100_000).contains(rate) else {
            throw ValidationError("--relays, --loss or --rate is absurd.")
        }
    }

    func run() async throws {
        try await Run.on(NamespaceStage.row(relays + 2)) { stage in
            if loss > 0 { try stage.lose(percent: loss) }
            if rate > 0 { try stage.limit(megabitsPerSecond: rate) }
            let places = stage.hosts.map(Place.namespace)
            let run = Run(
                command: CommandLine.arguments.dropFirst().joined(separator: " "),
                workload: workload,
                sender: places[0],
                relays: Array(places[1..<(relays + 1)]),
                receivers: [places[relays + 1]]
            )
            try Output.json(await run.report())
        }
    }
}
