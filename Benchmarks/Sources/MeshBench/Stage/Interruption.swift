import Dispatch
import Foundation
import Synchronization

/// The clean-up at an interruption of the process, until `end()`.
///
/// The process has one at a time. Its sources of signals stay for good: a new source for a signal, made while the old
/// one is on its way out, would never hear it.
struct Interruption {
    private struct Signals {
        var cleanUp: (@Sendable () -> Void)?
        var sources: [any DispatchSourceSignal] = []
    }

    private static let signals = Mutex(Signals())

    /// - Parameter cleanUp: The work to do before SIGINT or SIGTERM ends the process.
    init(_ cleanUp: @escaping @Sendable () -> Void) {
        Self.signals.withLock { signals in
            signals.cleanUp = cleanUp
            if signals.sources.isEmpty { signals.sources = [SIGINT, SIGTERM].map(Self.source) }
        }
    }

    /// Leaves nothing to clean up at the signals, which end the process still.
    func end() {
        Self.signals.withLock { $0.cleanUp = nil }
    }

    private static func source(of number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            signals.withLock(\.cleanUp)?()
            exit(128 + number)
        }
        source.resume()
        return source
    }
}
