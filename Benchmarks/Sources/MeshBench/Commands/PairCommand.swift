import ArgumentParser
import Earshot
import Foundation

/// The command that measures two nodes, or runs as one of them.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Measure two nodes, each a process of its own.",
        discussion: """
            Without a role it starts both: in two network namespaces that it makes (needs root), in two given ones with \
            --netns, or on loopback with --interface lo. On two machines, run it with --listen on one and then with \
            --connect on the other; --listen ends with its standard input.
            """
    )

    /// The part that this process plays.
    enum Role: String, EnumerableFlag {
        case listen
        case relay
        case connect

        static func help(for value: Role) -> ArgumentHelp? {
            switch value {
            case .listen: "Be the end that answers and confirms."
            case .relay: "Be a relay in between."
            case .connect: "Be the end that measures; the others are there already."
            }
        }
    }

    @Flag var role: Role?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Run in these two namespaces.", valueName: "A B"))
    var netns: [String] = []

    @Option(help: ArgumentHelp("Drop so many datagrams of 100 in namespaces made for this.", valueName: "percent"))
    var loss = 0

    @Option(
        help: ArgumentHelp(
            "Let the cable between namespaces made for this carry no more, in either direction; 0 for no limit.",
            valueName: "Mbit/s"
        )
    )
    var rate = 0

    @Option(help: ArgumentHelp("Always keep a link to this peer; for --connect.", valueName: "HOST:PORT"))
    var peer: [String] = []

    @Option(help: "The UDP port for the --peer option of others; for --listen and --relay.")
    var port: UInt16 = 0

    @Option(help: "Receivers to wait for; for --connect.")
    var receivers = 1

    /// Whether a process with `--connect` ends when its standard input ends, as the other roles do; the bench sets it
    /// for its own processes.
    @Flag(help: .hidden) var endsWithInput = false

    @OptionGroup var workload: WorkloadOptions

    func validate() throws {
        guard netns.isEmpty || netns.count == 2 else { throw ValidationError("--netns takes two names.") }
        guard receivers > 0, (0...99).contains(loss), (0...100_000).contains(rate) else {
            throw ValidationError("--receivers, --loss or --rate is absurd.")
        }
    }

    func run() async throws {
        switch role {
        case .listen, .relay: try await serve()
        case .connect: try await measure()
        case nil: try await orchestrate()
        }
    }

    private func orchestrate() async throws {
        if netns.count == 2 {
            try await report(.namespace(netns[0]), .namespace(netns[1]))
        } else if workload.interface.isEmpty {
            try await Run.on(NamespaceStage.row(2)) { stage in
                if loss > 0 { try stage.lose(percent: loss) }
                if rate > 0 { try stage.limit(megabitsPerSecond: rate) }
                try await report(.namespace(stage.hosts[0]), .namespace(stage.hosts[1]))
            }
        } else {
            try await report(.here, .here)
        }
    }

    private func report(_ sender: Place, _ receiver: Place) async throws {
        var workload = workload
        if sender == .here, workload.discovery.isEmpty {
            // Other programs may use the same interface, so the bench takes a multicast group of its own.
            workload.discovery = ["239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)):28788"]
        }
        let command = CommandLine.arguments.dropFirst().joined(separator: " ")
        try Output.json(
            await Run(command: command, workload: workload, sender: sender, receivers: [receiver]).report()
        )
    }

    private func measure() async throws {
        try await onStage { stage in
            if endsWithInput {
                Task {
                    for await _ in StandardInput.lines {}
                    stage.remove()
                    PairCommand.exit(withError: ExitCode.failure)
                }
            }
            try Output.json(await Measurement(workload: workload, stage: stage, receiverCount: receivers).report())
        }
    }

    private func serve() async throws {
        try await onStage { stage in
            let end = role == .relay ? try await stage.makeRelay() : try await stage.makeReceiver()
            try await end.start()
            let serving = Task { await end.serve() }
            try Output.line(BenchProcess.readyLine)
            for await _ in StandardInput.lines {}
            await end.stop()
            await serving.value
            try Output.json(ProcessUsage.current)
        }
    }

    /// Runs a body with a stage for its nodes.
    ///
    /// Removes the stage afterwards, also when the process is interrupted.
    private func onStage(_ body: (EndStage) async throws -> Void) async throws {
        let stage = try EndStage(workload, peers: peer, port: port)
        let interruption = Interruption(stage.remove)
        defer {
            interruption.end()
            stage.remove()
        }
        try await body(stage)
    }
}
