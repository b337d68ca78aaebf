import Dispatch
import Foundation

/// Cleans up when the process is interrupted, until `end()`.
///
/// Owns the two signals' sources.
struct Interruption {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cleanUp: Is done before the process ends by SIGINT or SIGTERM.
    init(_ cleanUp: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                cleanUp()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Leaves the signals to themselves: what is to be cleaned up is gone.
    func end() {
        for source in sources { source.cancel() }
    }
}
