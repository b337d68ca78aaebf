import ArgumentParser

/// The command that measures one node that sends to several receivers.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Measure one sender and many receivers on one segment of namespaces (needs root).",
        discussion: """
            On either level every receiver gets the same envelope: chat sends to a group of all. A message counts once all \
            receivers have confirmed it, and a run in which one lacks a message fails.
            """
    )

    @Option(help: "Receivers.")
    var receivers = 10

    @OptionGroup var workload: WorkloadOptions

    func validate() throws {
        guard (1...50).contains(receivers) else { throw ValidationError("--receivers is from 1 to 50.") }
    }

    func run() async throws {
        try await Run.on(NamespaceStage.segment(receivers + 1)) { stage in
            let places = stage.hosts.map(Place.namespace)
            let run = Run(
                command: CommandLine.arguments.dropFirst().joined(separator: " "),
                workload: workload,
                sender: places[0],
                receivers: Array(places.dropFirst())
            )
            try Output.json(await run.report())
        }
    }
}
