import ArgumentParser
import Foundation

/// The command that measures Earshot beside what people would use instead.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Measure Earshot beside others: the same work, in turns, in network namespaces (Linux, root).",
        discussion: """
            Installs each peer by its name in a folder of its own, says which cannot be had, and goes on without it. A peer is one \
            driver in the folder Peers. Run it in the folder Benchmarks.
            """
    )

    @Option(help: "Rounds; each measures every contender once.")
    var rounds = 3

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Measure these peers alone, beside Earshot.", valueName: "name")
    )
    var only: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Leave these out; Earshot is one, too.", valueName: "name"))
    var skip: [String] = []

    @Option(help: ArgumentHelp("The time to send messages.", valueName: "seconds"))
    var seconds = 5

    @Option(help: "Round trips to time.")
    var roundTrips = 500

    @Option(help: "The size of the file, in millions of bytes.")
    var megabytes = 100

    @Option(help: ArgumentHelp("The time to listen to idle nodes.", valueName: "seconds"))
    var idle = 15

    @Option(help: "Receivers of a group.")
    var receivers = 10

    @Option(help: ArgumentHelp("Write the tables into this document (Markdown), too.", valueName: "file"))
    var write: String?

    @Option(
        help: ArgumentHelp("Measure nothing; write the document from the JSON of an earlier run.", valueName: "file")
    )
    var read: String?

    @Option(help: ArgumentHelp("The folder of the drivers.", valueName: "folder"))
    var drivers = "Peers"

    @Option(help: ArgumentHelp("The folder to install peers in.", valueName: "folder"))
    var install = ".build/peers"

    func validate() throws {
        guard rounds > 0, seconds > 0, roundTrips > 0, idle > 0 else {
            throw ValidationError("--rounds, --seconds, --round-trips and --idle are at least 1.")
        }
        guard (1...4_000).contains(megabytes) else { throw ValidationError("--megabytes is from 1 to 4000.") }
        guard (2...50).contains(receivers) else { throw ValidationError("--receivers is from 2 to 50.") }
    }

    func run() async throws {
        let report = try await report()
        if let write { try PeersDocument(report: report).text.write(toFile: write, atomically: true, encoding: .utf8) }
        if read == nil { try Output.json(report) }
    }

    private func report() async throws -> PeersReport {
        if let read {
            return try JSONDecoder().decode(PeersReport.self, from: Data(contentsOf: URL(filePath: read)))
        }
        var contenders: [any Contender] = includes("Earshot") ? EarshotForm.allCases : []
        var absences: [PeersReport.Absence] = []
        let installation = try PeerInstallation(folder: URL(filePath: install))
        let all = try PeerDriver.all(in: URL(filePath: drivers))
        for name in only + skip where !(["Earshot"] + all.map(\.name)).contains(where: { isSame($0, name) }) {
            throw ValidationError("There is no peer \(name): \(all.map(\.name).joined(separator: ", ")).")
        }
        for driver in all where includes(driver.name) {
            do {
                contenders.append(try installation.install(driver))
            } catch {
                Progress.say("\(driver.name) cannot be had: \(error)")
                absences.append(PeersReport.Absence(name: driver.name, reason: "\(error)"))
            }
        }
        return await measure(contenders, absences)
    }

    private func measure(_ contenders: [any Contender], _ absences: [PeersReport.Absence]) async -> PeersReport {
        let work = PeerWork(
            seconds: seconds,
            roundTrips: roundTrips,
            megabytes: megabytes,
            idleSeconds: idle,
            receivers: receivers
        )
        var report = PeersReport(
            command: CommandLine.arguments.dropFirst().joined(separator: " "),
            work: work,
            contenders: contenders,
            absences: absences
        )
        for round in 1...rounds {
            for (index, contender) in contenders.enumerated() {
                var figures: [PeerFigure: Double] = [:]
                for part in contender.parts {
                    Progress.say("round \(round) of \(rounds): \(contender.sheet.name), \(part.rawValue)")
                    do {
                        figures.merge(try await contender.measure(part, work)) { $1 }
                    } catch {
                        Progress.say("\(contender.sheet.name), \(part.rawValue): \(error)")
                        report.rows[index].failures.append("round \(round), \(part.rawValue): \(error)")
                    }
                }
                report.rows[index].rounds.append(figures)
            }
            report.loads.append(Machine.current.load)
        }
        report.sumUp()
        return report
    }

    /// Whether the options include a contender; Earshot is among them unless it is left out.
    private func includes(_ name: String) -> Bool {
        let isNamed = only.isEmpty || isSame(name, "Earshot") || only.contains { isSame($0, name) }
        return isNamed && !skip.contains { isSame($0, name) }
    }

    private func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}
