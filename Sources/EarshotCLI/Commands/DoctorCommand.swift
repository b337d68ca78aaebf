import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation
import MeshDoctor

/// Diagnoses why no peer is discovered.
struct DoctorCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find the reason why nobody is found, and a way to fix it.",
        discussion: """
            Opens the sockets of a node, asks itself and a second process by multicast, listens for others, and \
            checks the cryptography, the data directory, the clock, and the hubs of the data directory. It sends a few \
            small datagrams on the interfaces of a node; nodes ignore them, and another doctor answers them. Each hub \
            gets one envelope for nobody. A running node is asked for contacts that read at other hubs. It changes \
            nothing.

            Examples:
              earshot doctor
              earshot doctor --interface wlan0   check this interface only
              earshot doctor --listen 30s        run it on two machines at once
                                                 to see whether they hear each other
              earshot doctor --json | jq '.findings[] | select(.severity == "problem")'

            Exit status: 0 without problems, 69 for a problem of the network or of a hub, 77 for one of the data \
            directory, 1 for one of cryptography or clock. Hints do not count.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var network: DoctorArguments

    @Option(
        help: ArgumentHelp(
            "A file with an authority of the hubs' certificates, besides those of the system.",
            valueName: "FILE"
        )
    )
    var hubCa: String?

    @Option(help: ArgumentHelp("The time to listen for others.", valueName: "TIME"))
    var listen = SpanArgument(.seconds(3))

    func validate() throws {
        guard listen.duration <= .seconds(600) else { throw ValidationError("Listen for ten minutes at most.") }
    }

    func perform(_ console: Console) async throws {
        let home = HomeDirectory(global)
        let clock = ClockReading()
        async let hubs = HubDiagnosis.findings(of: home, authorities: hubCa)
        var facts = try await examine()
        let node = await Self.runningNode(of: home)
        facts.running = node?.facts
        let homeFacts = HomeFacts(lookingAt: home.url)
        let ownNetwork = InterfaceDiagnosis.findings(facts) + SegmentDiagnosis.findings(facts)
        let isSound = ownNetwork.allSatisfy { $0.severity != .problem }
        let hubFindings = await hubs
        let report = DoctorReport(
            ownNetwork + NeighbourDiagnosis.findings(facts, isSound: isSound)
                + CryptographyDiagnosis.findings(.current)
                + HomeDiagnosis.findings(homeFacts, answers: node != nil)
                + ClockDiagnosis.findings(clock.facts(lastChange: homeFacts.lastChange))
                + hubFindings + (node?.unshared.findings ?? [])
        )
        try console.result(report, report.lines(coloured: console.coloured))
        guard report.status == .done else { throw ExitCode(report.status.rawValue) }
    }

    private func examine() async throws -> NetworkFacts {
        var plan = try network.plan()
        let second = await SecondProcess.start(network)
        plan.second = second?.id
        var facts = await Doctor.examine(plan, for: listen.duration)
        if let report = await second?.end() { facts.add(report, of: plan.id) }
        return facts
    }

    /// Returns the facts about the running node, and the hubs of contacts that it does not use; nil if none answers.
    private static func runningNode(
        of home: HomeDirectory
    ) async -> (facts: NetworkFacts.RunningNode, unshared: UnsharedHubs)? {
        guard let client = try? await home.connect() else { return nil }
        // A node that hangs may be the problem that the user is looking for.
        let node = try? await within(.seconds(5)) {
            let status = try await client.call(StatusCall())
            let unshared = await UnsharedHubs(of: client, hubs: status.hubs?.map(\.address) ?? [])
            return (NetworkFacts.RunningNode(linkCount: status.links, neighbourCount: status.neighbours), unshared)
        }
        await client.close()
        return node.flatMap(\.self)
    }
}

extension CryptographyFacts {
    /// The facts of this process.
    fileprivate static var current: CryptographyFacts {
        CryptographyFacts(cipherSource: CryptoStart.cipherSource, isMemoryLocked: CryptoStart.isMemoryLocked)
    }
}

/// A reading of the system clock, with one of a clock that cannot be set.
private struct ClockReading {
    private let date = Date()
    private let instant = ContinuousClock.now

    /// Compares both clocks since the reading, and collects the other facts about the time.
    func facts(lastChange: Date?) -> ClockFacts {
        let now = Date()
        let executable = Bundle.main.executableURL?.path ?? ""
        let attributes = try? FileManager.default.attributesOfItem(atPath: executable)
        return ClockFacts(
            now: now,
            built: attributes?[.modificationDate] as? Date,
            lastChange: lastChange,
            jump: .seconds(now.timeIntervalSince(date)) - instant.duration(to: .now)
        )
    }
}
