public import ChatCrypto

/// A peer this node knows, by its bundle or by a conversation.
public struct Contact: Hashable, Sendable {
    /// The identity.
    public let id: PeerID
    /// The name that it gives itself; a label, never an identity.
    public let name: String
    /// The trust in the key behind the name.
    public let trust: TrustState
    /// Both public keys.
    public let identity: PublicIdentity
    /// Whether something came from it in the last two minutes.
    public let isReachable: Bool
    /// The time at which something last came from it.
    public let lastSeenTime: Timestamp?
    /// Links between here and there, where a path told that in the last two minutes.
    public let hops: Int?
    /// The time to the peer and back, where a ping told that in the last two minutes.
    public let roundTrip: Duration?
    /// The identity that its owner went on to, or, of a contact that is `changed`, wants to.
    public package(set) var successor: PeerID?
    /// The identities that took the name of a contact that is `changed`, and that the user has not decided about.
    public package(set) var claimants: [PeerID] = []
    /// How it wants to be shown: labels, never an identity.
    ///
    /// Empty for a peer that the user does not talk to.
    public var profile = Profile()

    /// The digits that people compare to know that a name has the keys they think.
    ///
    /// Takes milliseconds to compute. Shape: 30 digits in groups of five.
    public var fingerprint: String { identity.fingerprint().description }
}

extension TrustState {
    /// Whether the user talks to a peer in this state.
    var isAccepted: Bool {
        switch self {
        case .tofu, .verified: true
        case .unknown, .changed, .revoked, .blocked: false
        }
    }
}
