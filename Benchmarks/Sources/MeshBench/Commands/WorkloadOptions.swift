import ArgumentParser
import Earshot
import Foundation

/// The options that say what to measure, and how much of it.
struct WorkloadOptions: ParsableArguments {
    /// The layer that carries the messages.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        /// Envelopes over links, without chat.
        case mesh
        /// Conversations.
        case chat
    }

    /// The place for the state of chat.
    enum Store: String, ExpressibleByArgument, CaseIterable {
        /// Memory only; nothing is written.
        case memory
        /// SQLite in a directory.
        case disk
    }

    /// A part of the measurement besides the starts.
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case roundTrips = "round-trips"
        /// Messages of 100 B.
        case small
        /// Messages of 1 KiB.
        case kilobyte
        /// Messages of 13 KiB.
        case large
        /// Payloads of 100 B along a path.
        case pathSmall = "path-small"
        /// Payloads of 16 KiB along a path.
        case path
        /// A large file; only chat has files.
        case file
        case idle
    }

    @Option(help: "The workload: mesh (envelopes) or chat (encrypted end to end, receipted).")
    var level = Level.chat

    @Option(help: "The store of chat: disk (SQLite, synced) or memory.")
    var store = Store.disk

    @Option(help: "The directory for --store disk. Default: the system's temporary one.")
    var directory: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Measure these alone, after the starts. Default: everything.", valueName: "part")
    )
    var only: [Part] = []

    @Option(help: "The number of starts to time the first link and the first message.")
    var starts = 5

    @Option(help: "Round trips to time.")
    var roundTrips = 500

    @Option(help: ArgumentHelp("The time to send messages of each size.", valueName: "seconds"))
    var seconds = 10

    @Option(help: "The size of the file, in millions of bytes.")
    var megabytes = 100

    @Option(help: ArgumentHelp("The time to listen to idle nodes; 0 to skip it.", valueName: "seconds"))
    var idle = 30

    @Option(
        help: ArgumentHelp(
            "Hold each process that this one starts to so much of a processor (Linux, root), however many they are.",
            valueName: "percent"
        )
    )
    var processor: Int?

    @Option(
        help: ArgumentHelp("Use this network interface; may be given several times. Default: all.", valueName: "IF")
    )
    var interface: [String] = []

    @Option(
        help: ArgumentHelp("Look for neighbours in this group; may be given several times.", valueName: "ADDR:PORT")
    )
    var discovery: [String] = []

    func validate() throws {
        guard starts > 0, roundTrips > 0, seconds > 0, (1...4_000).contains(megabytes), idle >= 0 else {
            throw ValidationError("--starts, --round-trips, --seconds and --megabytes are at least 1.")
        }
        guard processor.map((1...10_000).contains) ?? true else {
            throw ValidationError("--processor takes hundredths of one processor, 1 to 10000.")
        }
    }

    /// The command-line arguments that run a process in a role with these options.
    func arguments(_ role: PairCommand.Role) -> [String] {
        var arguments = [
            "pair", "--\(role.rawValue)", "--level", level.rawValue, "--store", store.rawValue, "--starts", "\(starts)",
            "--round-trips", "\(roundTrips)", "--seconds", "\(seconds)", "--idle", "\(idle)",
            "--megabytes", "\(megabytes)",
        ]
        arguments += only.isEmpty ? [] : ["--only"] + only.map(\.rawValue)
        arguments += directory.map { ["--directory", $0] } ?? []
        arguments += interface.flatMap { ["--interface", $0] } + discovery.flatMap { ["--discovery", $0] }
        return arguments
    }

    /// Whether the run measures a part.
    func includes(_ part: Part) -> Bool { only.isEmpty || only.contains(part) }

    /// The mesh options for a node of this process.
    var meshOptions: MeshOptions {
        var options = MeshOptions()
        options.interfaces = interface
        options.discoveryGroups = discovery
        return options
    }
}
