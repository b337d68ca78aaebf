import ArgumentParser
import Earshot
import Foundation

/// What is measured, and how much of it.
struct WorkloadOptions: ParsableArguments {
    /// What carries the messages.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        /// Envelopes over links, nothing above.
        case mesh
        /// Conversations.
        case chat
    }

    /// Where chat keeps its state.
    enum Store: String, ExpressibleByArgument, CaseIterable {
        /// Nowhere.
        case memory
        /// SQLite in a directory.
        case disk
    }

    @Option(help: "What to measure: mesh (envelopes) or chat (encrypted end to end, receipted).")
    var level = Level.chat

    @Option(help: "Where chat keeps its state: disk (SQLite, synced) or memory.")
    var store = Store.disk

    @Option(help: "The directory for --store disk. Default: the system's temporary one.")
    var directory: String?

    @Option(help: "How often a node is started to time the first link and the first message.")
    var starts = 5

    @Option(help: "Round trips to time.")
    var roundTrips = 500

    @Option(help: ArgumentHelp("How long to send messages of each size.", valueName: "seconds"))
    var seconds = 10

    @Option(help: ArgumentHelp("How long to listen to idle nodes; 0 to leave it out.", valueName: "seconds"))
    var idle = 30

    @Option(help: ArgumentHelp("Use this network interface; may be given again. Default: all.", valueName: "IF"))
    var interface: [String] = []

    @Option(help: ArgumentHelp("Look for neighbours in this group; may be given again.", valueName: "ADDR:PORT"))
    var discovery: [String] = []

    func validate() throws {
        guard starts > 0, roundTrips > 0, seconds > 0, idle >= 0 else {
            throw ValidationError("--starts, --round-trips and --seconds are at least 1.")
        }
    }

    /// The same for a process in a role.
    func arguments(_ role: PairCommand.Role) -> [String] {
        var arguments = [
            "pair", "--\(role.rawValue)", "--level", level.rawValue, "--store", store.rawValue, "--starts", "\(starts)",
            "--round-trips", "\(roundTrips)", "--seconds", "\(seconds)", "--idle", "\(idle)",
        ]
        arguments += directory.map { ["--directory", $0] } ?? []
        arguments += interface.flatMap { ["--interface", $0] } + discovery.flatMap { ["--discovery", $0] }
        return arguments
    }

    /// How a node of this process takes part in the mesh.
    var meshOptions: MeshOptions {
        var options = MeshOptions()
        options.interfaces = interface
        options.discoveryGroups = discovery
        return options
    }
}
