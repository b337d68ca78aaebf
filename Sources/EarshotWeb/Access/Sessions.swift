import ChatCrypto
import Earshot
import Synchronization

/// Who may use the page: the tokens that open a session, each once, and the sessions that are open.
///
/// Secrets are compared in constant time. Tokens and sessions end by the clock, and everything with the process.
final class Sessions: Sendable {
    private struct Session {
        let number: Int
        let secret: [UInt8]
        /// The secret of the tab that opened it.
        let proof: PageProof
        let openedAt: ContinuousClock.Instant
        var usedAt: ContinuousClock.Instant
        /// Who is to be told of its end.
        var watchers: [Int: AsyncStream<Never>.Continuation] = [:]

        func tellWatchers() {
            for watcher in watchers.values { watcher.finish() }
        }
    }

    private struct State {
        var tokens: [(token: [UInt8], madeAt: ContinuousClock.Instant)] = []
        var sessions: [Session] = []
        var nextNumber = 0
        var wrongTokenCount = 0

        func index(of number: Int) -> Int? { sessions.firstIndex { $0.number == number } }

        /// Lets go of what is over.
        ///
        /// - Returns: The sessions among it.
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
    /// - Returns: The two secrets of the session that it opens, for the cookie and for the tab; nil for a token that is
    ///   unknown, out of date or was used.
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
        for session in ended { session.tellWatchers() }
        return isOpen ? (secret, proof.digits) : nil
    }

    /// The proofs of a session; nil for one that has ended.
    func proof(of number: Int) -> PageProof? {
        state.withLock { state in state.index(of: number).map { state.sessions[$0].proof } }
    }

    /// The wrong tokens since the last good one.
    var wrongTokenCount: Int { state.withLock { $0.wrongTokenCount } }

    /// The number of the session that one of these secrets is of, which is used by that.
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

    /// Notes that something was heard in a session.
    func noteUse(of number: Int) {
        let now = now()
        state.withLock { state in
            if let index = state.index(of: number) { state.sessions[index].usedAt = now }
        }
    }

    /// Ends the sessions whose time is over, and what goes on in them.
    func endExpired() {
        let now = now()
        for session in state.withLock({ $0.expire(times, at: now) }) { session.tellWatchers() }
    }

    /// Ends a session and what goes on in it.
    func end(_ number: Int) {
        endAll { $0 == number }
    }

    /// Ends all sessions but one, and lets go of the tokens.
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
        for session in ended { session.tellWatchers() }
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
