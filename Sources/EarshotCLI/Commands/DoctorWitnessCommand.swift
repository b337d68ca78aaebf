import ArgumentParser
import EarshotRPC
import MeshDoctor

/// The second process of `earshot doctor`: says `ready`, answers until its standard input ends, and reports.
struct DoctorWitnessCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor-witness",
        abstract: "Answer a doctor's probes until standard input ends.",
        shouldDisplay: false
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var network: DoctorArguments

    @Option(help: "The number of this process for the first one.")
    var probeId: UInt64

    func perform(_ console: Console) async throws {
        let plan = try network.plan(id: probeId)
        let report = await Doctor.attend(plan, until: 0) { console.line("ready") }
        console.line(String(decoding: try RPCCoding.encode(report), as: UTF8.self))
    }
}
