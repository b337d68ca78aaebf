import ArgumentParser
import GatewayCore
import MeshDoctor
import MeshGateway

/// Sets up and examines hubs.
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Choose, examine or set up a hub, which keeps sealed mail on the internet.",
        discussion: """
            A hub is a NATS server that anybody can run; Examples/Hub has its configuration. It sees sealed envelopes \
            under tags that change daily: neither people nor texts. A node with a hub passes mail on for its whole \
            network; `earshot node` and `earshot web` connect it.
            """,
        subcommands: [
            AddCommand.self, RemoveCommand.self, ListCommand.self, CheckCommand.self, CreateCommand.self,
        ]
    )
}

extension HubCommand {
    /// Examines a hub.
    struct CheckCommand: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Find out whether a hub delivers and keeps mail.",
            discussion: """
                Connects, and sends one envelope for nobody, which must come back and be kept.

                Examples:
                  earshot hub check tls://club@hub.example.org
                  earshot hub check --hub-ca ca.pem tls://club@10.0.0.5

                Exit status: 0 if all is well, 69 if the hub does not work, 64, 65 or 77 if the address cannot be used.
                """
        )

        @OptionGroup var global: GlobalOptions

        @OptionGroup var hub: HubArguments

        func perform(_ console: Console) async throws {
            let report = DoctorReport([await HubDiagnosis.finding(try hub.connection(in: HomeDirectory(global)))])
            try console.result(report, report.lines(coloured: console.coloured))
            guard report.status == .done else { throw ExitCode(report.status.rawValue) }
        }
    }

    /// Makes the store of a hub.
    struct CreateCommand: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make the store of a hub, or change its room. For the operator of the hub.",
            discussion: """
                The server must run with the configuration of Examples/Hub. A store that exists gets the settings of \
                this command; it loses no mail by that without --shrink.

                Examples:
                  earshot hub create tls://admin@hub.example.org
                  earshot hub create --size 900M --days 1 tls://admin@hub.example.org
                """
        )

        @OptionGroup var global: GlobalOptions

        @OptionGroup var hub: HubArguments

        @Option(help: ArgumentHelp("The room for mail: at most 90 % of max_file of the server.", valueName: "SIZE"))
        var size = "18G"

        @Option(help: ArgumentHelp("The servers of a cluster that each keep all mail: 1, 3 or 5.", valueName: "N"))
        var replicas = 1

        @Option(
            help: ArgumentHelp("The days that mail is kept, 1 to 7. An open hub should keep it for 1.", valueName: "N")
        )
        var days: Int64 = 7

        @Flag(help: "Allow a smaller store to delete mail that it holds.")
        var shrink = false

        func validate() throws {
            guard byteCount != nil else { throw ValidationError("--size takes 1M to 1024T, such as 18G.") }
            guard StoreCreation.replicaCounts.contains(replicas) else {
                throw ValidationError("--replicas takes 1, 3 or 5.")
            }
            guard StoreCreation.dayCounts.contains(days) else { throw ValidationError("--days takes 1 to 7.") }
        }

        private var byteCount: Int64? {
            ByteCountArgument(argument: size).flatMap { Int64(exactly: $0.byteCount) }.flatMap {
                StoreCreation.byteCounts.contains($0) ? $0 : nil
            }
        }

        func perform(_ console: Console) async throws {
            guard let byteCount else { return }
            let connection = try hub.connection(in: HomeDirectory(global))
            let job = StoreCreation(
                at: connection.hub,
                byteCount: byteCount,
                replicas: replicas,
                days: days,
                mayDelete: shrink
            )
            let outcome = try await connection.result(of: job)
            let place = connection.hub.description
            let terms = "keeps mail for \(days) \(days == 1 ? "day" : "days"), \(size) in all"
            let text = outcome == .created ? "\(place) \(terms)." : "\(place) now \(terms)."
            try console.result(HubStoreReport(hub: place, isNew: outcome == .created), [text])
        }
    }

    /// The machine-readable result of `hub create`.
    private struct HubStoreReport: Encodable {
        let hub: String
        let isNew: Bool
    }
}
