/// One measurement with all its processes: receivers and relays first, then the end that measures.
struct Run: Sendable {
    /// The command line that the report names.
    let command: String
    /// The options of every process.
    let workload: WorkloadOptions
    let sender: Place
    var relays: [Place] = []
    let receivers: [Place]

    /// Runs the measurement and combines the ends' figures.
    func report() async throws -> Report {
        var others: [BenchProcess] = []
        do {
            for place in relays + receivers {
                let role = others.count < relays.count ? PairCommand.Role.relay : .listen
                let process = try BenchProcess(workload.arguments(role), in: place, processor: workload.processor)
                others.append(process)
                try await process.ready()
            }
            Progress.say("\(relays.count) relays and \(receivers.count) receivers are on the air")
            var arguments = workload.arguments(.connect)
            arguments += ["--receivers", "\(receivers.count)", "--ends-with-input"]
            let measuring = try BenchProcess(arguments, in: sender, processor: workload.processor)
            others.append(measuring)
            var report = try await measuring.figures(Report.self, ending: false)
            others.removeLast()
            report.command = command
            report.relayCount = relays.count
            for (number, process) in others.enumerated() {
                let usage = try await process.figures(ProcessUsage.self, ending: true)
                if number < relays.count { report.relays.append(usage) } else { report.receivers.append(usage) }
            }
            return report
        } catch {
            for process in others { await process.terminate() }
            throw error
        }
    }

    /// Runs a body on a stage.
    ///
    /// Removes the stage afterwards, also when the command is interrupted.
    static func on<Value: Sendable>(
        _ stage: NamespaceStage,
        _ body: (NamespaceStage) async throws -> Value
    ) async throws -> Value {
        let interruption = Interruption(stage.remove)
        defer {
            interruption.end()
            stage.remove()
        }
        return try await body(stage)
    }
}
