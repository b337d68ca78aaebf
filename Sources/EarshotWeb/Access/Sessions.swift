import ChatCrypto
import Earshot
import Synchronization

/// The access to the page: the tokens that open a session, each once, and the open sessions.
///
/// Secrets are compared in constant time. Tokens and sessions expire, and all of them end with the process.
final class Sessions: Sendable {
    private struct Session {
        let number: Int
        let secret: [UInt8]
        /// The secret of the tab that opened the session.
        let proof: PageProof
        let openedAt: ContinuousClock.Instant
        var usedAt: ContinuousClock.Instant
        /// The observers of the session's end.
        var watchers: [Int: AsyncStream<Never>.Continuation] = [:]

        func notifyWatchers() {
            for watcher in watchers.values { watcher.finish() }
        }
    }

    private struct State {
        var tokens: [(token: [UInt8], madeAt: ContinuousClock.Instant)] = []
        var sessions: [Session] = []
        var nextNumber = 0
        var wrongTokenCount = 0

        func index(of number: Int) -> Int? { sessions.firstIndex { $0.number == number } }

        /// Removes expired tokens and sessions.
        ///
        /// - Returns: the removed sessions.
        mutating func expire(_ times: WebTimes, at now: ContinuousClock.Instant) -> [Session] {
            tokens.removeAll { $0.madeAt.duration(to: now) >= times.token }
            let isOver = { (session: Session) in
                session.openedAt.duration(to: now) >= times.session
                    || session.usedAt.duration(to: now) >= times.sessionIdle
            }
            let ended = sessions.filter(isOver)
            sessions.removeAll(where: isOver)
            return ended
        }
    }

    private let state = Mutex(State())
    private let times: WebTimes
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ times: WebTimes, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.times = times
        self.now = now
    }

    /// Makes a token.
    func makeToken() -> String {
        let token = randomBytes(WebLimits.secretByteCount).hex
        let now = now()
        state.withLock { state in
            if state.tokens.count == WebLimits.tokenCount { state.tokens.removeFirst() }
            state.tokens.append((Array(token.utf8), now))
        }
        return token
    }

    /// Uses a token up.
    ///
    /// - Returns: the two secrets of the opened session, for the cookie and for the tab; nil for a token that is
    ///   unknown, expired or used.
    func open(by token: [UInt8]) -> (cookie: String, tab: String)? {
        let secret = randomBytes(WebLimits.secretByteCount).hex
        let proof = PageProof()
        let now = now()
        let (isOpen, ended): (Bool, [Session]) = state.withLock { state in
            var ended = state.expire(times, at: now)
            var index: Int?
            for (candidate, known) in state.tokens.enumerated() where constantTimeEqual(known.token, token) {
                index = candidate
            }
            guard let index else {
                state.wrongTokenCount += 1
                return (false, ended)
            }
            state.tokens.remove(at: index)
            state.wrongTokenCount = 0
            if state.sessions.count == WebLimits.sessionCount { ended.append(state.sessions.removeFirst()) }
            state.sessions.append(
                Session(
                    number: state.nextNumber,
                    secret: Array(secret.utf8),
                    proof: proof,
                    openedAt: now,
                    usedAt: now
                )
            )
            state.nextNumber += 1
            return (true, ended)
        }
        for session in ended { session.notifyWatchers() }
        return isOpen ? (secret, proof.digits) : nil
    }

    /// The proofs of a session; nil if the session has ended.
    func proof(of number: Int) -> PageProof? {
        state.withLock { state in state.index(of: number).map { state.sessions[$0].proof } }
    }

    /// The number of wrong tokens since the last valid one.
    var wrongTokenCount: Int { state.withLock { $0.wrongTokenCount } }

    /// Finds the session that one of these secrets belongs to, and notes its use.
    func number(of secrets: [[UInt8]]) -> Int? {
        endExpired()
        let now = now()
        return state.withLock { state in
            var found: Int?
            for secret in secrets {
                for (index, session) in state.sessions.enumerated()
                where constantTimeEqual(session.secret, secret) {
                    found = index
                }
            }
            guard let found else { return nil }
            state.sessions[found].usedAt = now
            return state.sessions[found].number
        }
    }

    /// Notes a use of a session.
    func noteUse(of number: Int) {
        let now = now()
        state.withLock { state in
            if let index = state.index(of: number) { state.sessions[index].usedAt = now }
        }
    }

    /// Ends the expired sessions and their activities.
    func endExpired() {
        let now = now()
        for session in state.withLock({ $0.expire(times, at: now) }) { session.notifyWatchers() }
    }

    /// Ends a session and its activities.
    func end(_ number: Int) {
        endAll { $0 == number }
    }

    /// Ends all sessions except one, and removes the tokens.
    func endAll(but kept: Int? = nil) {
        state.withLock { $0.tokens = [] }
        endAll { $0 != kept }
    }

    private func endAll(_ ends: (Int) -> Bool) {
        let ended = state.withLock { state -> [Session] in
            let ended = state.sessions.filter { ends($0.number) }
            state.sessions.removeAll { ends($0.number) }
            return ended
        }
        for session in ended { session.notifyWatchers() }
    }

    /// Makes a stream that ends with a session.
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
