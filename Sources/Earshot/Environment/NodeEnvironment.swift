import ChatCore
import Foundation
package import Logging
package import MeshCore
package import MeshTransport

/// The surroundings of a node: its clocks, its mesh, and the work beside its callers.
///
/// A virtual environment advances its time only while no work is going on; so a node tells it of all such work.
package protocol NodeEnvironment: Sendable {
    /// The time by a clock that nobody can set.
    var now: MeshInstant { get }

    /// The time by the wall clock.
    ///
    /// Units: milliseconds since 1970.
    var wall: UInt64 { get }

    /// The least time between two reads of a value by one reader.
    var readInterval: Duration { get }

    /// Makes a node of the mesh that has not started.
    func makeMesh(
        _ configuration: MeshNode.Configuration,
        _ cryptography: any MeshCryptography,
        _ logger: Logger
    ) -> any ChatMesh

    /// Runs work at a moment, beside the caller.
    func schedule(at moment: MeshInstant, _ work: @escaping @Sendable () async -> Void) -> ScheduledWork

    /// Notes that work begins beside its caller.
    func workBegan()

    /// Notes that this work has ended.
    func workEnded()
}

/// Work that will run at a moment unless it is cancelled before.
package struct ScheduledWork: Sendable {
    private let end: @Sendable () -> Void

    /// Makes the handle of work that `end` cancels.
    package init(cancel end: @escaping @Sendable () -> Void) { self.end = end }

    /// Cancels the work; has no effect once it runs.
    func cancel() { end() }
}

extension NodeEnvironment {
    /// Runs work beside the caller.
    @discardableResult
    func run(_ work: @escaping @concurrent @Sendable () async -> Void) -> Task<Void, Never> {
        workBegan()
        return Task {
            await work()
            workEnded()
        }
    }
}

/// The machine's own clocks and sockets.
package struct SystemEnvironment: NodeEnvironment {
    private let clock = ContinuousClock()
    private let origin = ContinuousClock.now
    /// The error of the wall clock, for tests of code that must not depend on it.
    private let clockError: Duration

    /// Makes an environment whose clock begins at zero.
    package init(clockError: Duration = .zero) { self.clockError = clockError }

    package var now: MeshInstant { MeshInstant.zero.advanced(by: origin.duration(to: clock.now)) }

    package var wall: UInt64 {
        let (seconds, attoseconds) = clockError.components
        let error = Double(seconds) + Double(attoseconds) / 1e18
        return Timestamp(Date(timeIntervalSinceNow: error)).milliseconds
    }

    package var readInterval: Duration { ChatLimits.updateInterval }

    package func makeMesh(
        _ configuration: MeshNode.Configuration,
        _ cryptography: any MeshCryptography,
        _ logger: Logger
    ) -> any ChatMesh {
        MeshNode(configuration: configuration, cryptography: cryptography, logger: logger)
    }

    package func schedule(at moment: MeshInstant, _ work: @escaping @Sendable () async -> Void) -> ScheduledWork {
        let wake = origin.advanced(by: MeshInstant.zero.duration(to: moment))
        let task = Task {
            guard (try? await clock.sleep(until: wake)) != nil else { return }
            await work()
        }
        return ScheduledWork { task.cancel() }
    }

    package func workBegan() {}

    package func workEnded() {}
}
