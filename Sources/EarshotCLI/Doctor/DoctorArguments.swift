import ArgumentParser
import MeshDoctor
import MeshTransport

/// The arguments of the network check.
struct DoctorArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("Check this network interface; may be given several times. Default: all.", valueName: "IF")
    )
    var interface: [String] = []

    @Option(help: ArgumentHelp("The multicast group of the nodes; may be given several times.", valueName: "ADDR:PORT"))
    var discovery: [String] = []

    func validate() throws {
        _ = try groups()
    }

    /// Makes a plan of a run, with a random number or a given one.
    func plan(id: UInt64 = ProbePlan.randomID()) throws -> ProbePlan {
        ProbePlan(id: id, interfaces: interface, groups: try groups())
    }

    /// The same values as arguments for another process.
    var asArguments: [String] {
        interface.flatMap { ["--interface", $0] } + discovery.flatMap { ["--discovery", $0] }
    }

    private func groups() throws -> [MulticastGroup] {
        guard !discovery.isEmpty else { return MulticastGroup.standard }
        return try discovery.map { text in
            guard let group = MulticastGroup(text) else {
                throw ValidationError("`\(text)` is not a group and a port. Write for example 239.255.77.7:47707.")
            }
            return group
        }
    }
}
