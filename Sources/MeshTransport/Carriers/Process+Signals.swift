package import Foundation

extension Process {
    /// Starts the process so that signals reach it.
    ///
    /// A program inherits the signal mask of the thread that starts it, and the threads of a pool block all signals.
    package func runHeedingSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
