import ArgumentParser
import Foundation

/// The command `mesh-bench`.
@main
struct MeshBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mesh-bench",
        abstract: "Measure a mesh of real processes: discovery, latency, rates, memory, idle traffic.",
        discussion: "Prints JSON on standard output and progress on standard error. Build it with -c release.",
        subcommands: [
            PairCommand.self, LineCommand.self, GroupCommand.self, CoreCommand.self, SearchCommand.self,
            HistoryCommand.self, PeersCommand.self,
        ]
    )

    static func main() async {
        // A reader that closes its end causes an error of one write, not the end of the process and its namespaces.
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
