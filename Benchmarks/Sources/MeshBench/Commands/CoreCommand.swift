import ArgumentParser
import MeshCore
import MeshSimulation

/// The command that measures the mesh's logic alone.
struct CoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core",
        abstract: "Measure the events per second of the mesh's logic, in virtual time, without cryptography."
    )

    @Option(help: "Nodes at random places in a square, eight neighbours each on average.")
    var nodes = 200

    @Option(help: "Envelopes of 256 B, ten a second, each from another node.")
    var envelopes = 100

    @Option(help: "The seed of all random choices.")
    var seed: UInt64 = 1

    func validate() throws {
        guard nodes > 1, envelopes > 0 else { throw ValidationError("--nodes is at least 2, --envelopes 1.") }
    }

    /// The report of this command.
    private struct CoreReport: Encodable {
        let command: String
        let machine = Machine.current
        let nodes: Int
        /// The events that all nodes handled.
        let events: Int
        let datagrams: Int
        let seconds: Double
        let eventsPerSecond: Double
        /// The same by processor time, on which other programs of the machine have little influence.
        let eventsPerCPUSecond: Double
        let virtualSeconds: Double
        /// The share of nodes that received an envelope; 1 means all of them.
        let coverage: Double
        /// The hash of the trace: equal for equal code and seed on every machine.
        let traceHash: String
        let usage: ProcessUsage
    }

    func run() async throws {
        let topology = Topology.randomGeometric(nodes, degree: 8, seed: seed)
        var net = SimNet(topology, seed: seed, quality: SegmentQuality(jitter: .microseconds(500), loss: 0.01))
        let begin = ContinuousClock.now
        net.startAll()
        Progress.say("\(nodes) nodes find each other for 10 s of virtual time")
        net.run(for: .seconds(10))
        var ids: [EnvelopeID] = []
        for number in 0..<envelopes {
            let body = BenchMessage(.message, author: seed, number: UInt64(number)).encoded(byteCount: 256)
            if let id = net.submit(body: body, from: number * 7 % nodes) { ids.append(id) }
            net.run(for: .milliseconds(100))
            if number % 20 == 19 { Progress.say("envelope \(number + 1) of \(envelopes), \(net.eventCount) events") }
        }
        net.run(for: .seconds(5))
        let seconds = begin.duration(to: .now).seconds
        let deliveries = ids.map { id in net.hostNumbers.count { net.deliveryCount(of: id, at: $0) > 0 } }
        let report = CoreReport(
            command: CommandLine.arguments.dropFirst().joined(separator: " "),
            nodes: nodes,
            events: net.eventCount,
            datagrams: net.datagramCount,
            seconds: seconds,
            eventsPerSecond: (Double(net.eventCount) / seconds).rounded(),
            eventsPerCPUSecond: (Double(net.eventCount) / ProcessUsage.current.cpuSeconds).rounded(),
            virtualSeconds: MeshInstant.zero.duration(to: net.now).seconds,
            coverage: Double(deliveries.reduce(0, +)) / Double(envelopes * (nodes - 1)),
            traceHash: String(net.traceHash, radix: 16),
            usage: .current
        )
        try Output.json(report)
    }
}
