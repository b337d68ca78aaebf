import ChatCore
import ChatCrypto
import Synchronization

/// The id and the names of a node's present identity, for readers on any thread.
final class OwnFacts: Sendable {
    struct Facts: Sendable {
        let id: PeerID
        let nickname: String
        private let identity: PublicIdentity

        init(_ engine: ChatEngine) {
            id = engine.ownID
            nickname = engine.nickname
            identity = engine.sessions.identity.publicIdentity
        }

        var fingerprint: String { identity.fingerprint().description }
    }

    private let state: Mutex<Facts>

    init(_ engine: ChatEngine) { state = Mutex(Facts(engine)) }

    /// The facts of the present identity.
    var facts: Facts { state.withLock { $0 } }

    /// Takes the facts of an engine, if they have changed.
    func update(_ engine: ChatEngine) {
        let known = facts
        guard known.id != engine.ownID || known.nickname != engine.nickname else { return }
        let new = Facts(engine)
        state.withLock { $0 = new }
    }
}
