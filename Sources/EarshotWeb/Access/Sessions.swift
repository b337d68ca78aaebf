import ChatCrypto
import Earshot
import Synchronization

/// Who may use the page: the tokens that open a session, each once, and the sessions that are open.
///
/// Secrets are compared in constant time. Everything ends with the process.
final class Sessions: Sendable {
    private struct Session {
        let number: Int
        let secret: [UInt8]
        /// The secret of the tab that opened it.
        let proof: PageProof
        /// Who is to be told of its end.
        var watchers: [Int: AsyncStream<Never>.Continuation] = [:]

        func tellWatchers() {
            for watcher in watchers.values { watcher.finish() }
        }
    }

    private struct State {
        var tokens: [[UInt8]] = []
        var sessions: [Session] = []
        var nextNumber = 0
        var wrongTokenCount = 0

        func index(of number: Int) -> Int? { sessions.firstIndex { $0.number == number } }
    }

    private let state = Mutex(State())

    /// Makes a token.
    func makeToken() -> String {
        let token = randomBytes(WebLimits.secretByteCount).hex
        state.withLock { state in
            if state.tokens.count == WebLimits.tokenCount { state.tokens.removeFirst() }
            state.tokens.append(Array(token.utf8))
        }
        return token
    }

    /// Uses a token up.
    ///
    /// - Returns: The two secrets of the session that it opens, for the cookie and for the tab; nil for a token that is
    ///   unknown or was used.
    func open(by token: [UInt8]) -> (cookie: String, tab: String)? {
        let secret = randomBytes(WebLimits.secretByteCount).hex
        let proof = PageProof()
        let (isOpen, displaced): (Bool, Session?) = state.withLock { state in
            var index: Int?
            for (candidate, known) in state.tokens.enumerated() where constantTimeEqual(known, token) {
                index = candidate
            }
            guard let index else {
                state.wrongTokenCount += 1
                return (false, nil)
            }
            state.tokens.remove(at: index)
            state.wrongTokenCount = 0
            let displaced = state.sessions.count == WebLimits.sessionCount ? state.sessions.removeFirst() : nil
            state.sessions.append(Session(number: state.nextNumber, secret: Array(secret.utf8), proof: proof))
            state.nextNumber += 1
            return (true, displaced)
        }
        displaced?.tellWatchers()
        return isOpen ? (secret, proof.digits) : nil
    }

    /// The proofs of a session; nil for one that has ended.
    func proof(of number: Int) -> PageProof? {
        state.withLock { state in state.index(of: number).map { state.sessions[$0].proof } }
    }

    /// The wrong tokens since the last good one.
    var wrongTokenCount: Int { state.withLock { $0.wrongTokenCount } }

    /// The number of the session that a secret is of.
    func number(of secret: [UInt8]) -> Int? {
        state.withLock { state in
            var number: Int?
            for session in state.sessions where constantTimeEqual(session.secret, secret) { number = session.number }
            return number
        }
    }

    /// Ends a session and what goes on in it.
    func end(_ number: Int) {
        let ended = state.withLock { state -> Session? in
            guard let index = state.index(of: number) else { return nil }
            return state.sessions.remove(at: index)
        }
        ended?.tellWatchers()
    }

    /// A stream that ends with a session.
    func end(of number: Int) -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        let watcher = state.withLock { state -> Int? in
            guard let index = state.index(of: number) else { return nil }
            state.nextNumber += 1
            state.sessions[index].watchers[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let watcher else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(watcher, of: number) }
        return stream
    }

    private func forget(_ watcher: Int, of number: Int) {
        state.withLock { state in
            guard let index = state.index(of: number) else { return }
            state.sessions[index].watchers[watcher] = nil
        }
    }
}
