import Foundation

extension Process {
    /// Starts it so that signals reach it.
    ///
    /// A program takes over from the thread that starts it which signals never come, and threads of a pool keep all of
    /// them off.
    func runHeedingSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
