import Dispatch
import Foundation

/// The clean-up at an interruption of the process, until `end()`.
///
/// Owns the sources of the two signals.
struct Interruption {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cleanUp: The work to do before SIGINT or SIGTERM ends the process.
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

    /// Stops handling the signals, which the process ignores from then on: there is nothing left to clean up.
    func end() {
        for source in sources { source.cancel() }
    }
}
