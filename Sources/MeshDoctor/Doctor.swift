import NIOPosix

/// An examination of the machine's network from the point of view of a node.
package enum Doctor {
    /// The longest time that a second process runs if it is not told to stop.
    private static let longestAttendance = Duration.seconds(600)

    /// Opens a node's sockets, sends questions, and listens for `duration`.
    package static func examine(_ plan: ProbePlan, for duration: Duration) async -> NetworkFacts {
        await onThread {
            let station = ProbeStation(plan)
            station.run(for: duration, asking: true)
            return station.conclude()
        } ?? NetworkFacts()
    }

    /// Runs as the second process: opens the same sockets, calls `ready`, and answers questions until `closing` is
    /// readable or at its end.
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

    /// Runs a blocking function on a thread of its own; returns nil if the system provides no thread.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        try? await NIOThreadPool.singleton.runIfActive(body)
    }
}
