import NIOPosix

/// Looks at the machine's network as a node would use it.
package enum Doctor {
    /// How long a second process attends at most, should nobody tell it to go.
    private static let longestAttendance = Duration.seconds(600)

    /// Opens a node's sockets, asks, and listens for so long.
    package static func examine(_ plan: ProbePlan, for duration: Duration) async -> NetworkFacts {
        await onThread {
            let station = ProbeStation(plan)
            station.run(for: duration, asking: true)
            return station.conclude()
        } ?? NetworkFacts()
    }

    /// Is the second process: opens the same sockets, says so, and answers until `closing` is at its end.
    package static func attend(
        _ plan: ProbePlan,
        until closing: Int32,
        ready: @escaping @Sendable () -> Void
    ) async -> WitnessReport {
        await onThread {
            let station = ProbeStation(plan)
            ready()
            station.run(for: longestAttendance, asking: false, until: closing)
            return station.report
        } ?? WitnessReport([])
    }

    /// Runs what blocks on a thread of its own; nil where the system gives none.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        try? await NIOThreadPool.singleton.runIfActive(body)
    }
}
