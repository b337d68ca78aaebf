public import ChatCrypto

/// A peer that this node knows, by its prekey bundle or by a conversation.
public struct Contact: Hashable, Identifiable, Codable, Sendable {
    /// The identity.
    public let id: PeerID
    /// The name to show: ``localName``, else ``claimedName``, else the first digits of the id; a label, never an identity.
    public let name: String
    /// The name that the peer gives itself, and can change at any time; nil until it has stated one.
    public let claimedName: String?
    /// The name that the user gave the peer; nil for none.
    ///
    /// It stays in this data directory and in exports of the user, and no peer learns it.
    public let localName: String?
    /// The trust in the key behind the name.
    public let trust: TrustState
    /// Both public keys.
    public let identity: PublicIdentity
    /// Whether a packet came from the peer in the last two minutes.
    public let isReachable: Bool
    /// The time at which the last packet came from the peer.
    public let lastSeenTime: Timestamp?
    /// The number of links to the peer, if a path measured it in the last two minutes.
    public let hops: Int?
    /// The round-trip time to the peer, if a ping measured it in the last two minutes.
    public let roundTrip: Duration?
    /// The identity that the peer has rotated to, or, for a contact that is `changed`, wants to rotate to.
    public package(set) var successor: PeerID?
    /// The identities that took the name of a contact that is `changed`, and that the user has not decided about.
    public package(set) var claimants: [PeerID]
    /// The profile with which the peer wants to be shown: labels, never an identity.
    ///
    /// Empty for a peer that the user does not talk to.
    public var profile: Profile
    /// The addresses of the hubs at which the peer reads mail, such as `tls://hub.example.org`.
    ///
    /// The peer states them; no node joins a hub by this alone. Empty for a peer that the user does not talk to.
    public var hubs: [String]

    /// Makes a contact from its parts.
    public init(
        id: PeerID,
        name: String,
        claimedName: String? = nil,
        localName: String? = nil,
        trust: TrustState = .tofu,
        identity: PublicIdentity,
        isReachable: Bool = false,
        lastSeenTime: Timestamp? = nil,
        hops: Int? = nil,
        roundTrip: Duration? = nil,
        successor: PeerID? = nil,
        claimants: [PeerID] = [],
        profile: Profile = Profile(),
        hubs: [String] = []
    ) {
        self.id = id
        self.name = name
        self.claimedName = claimedName
        self.localName = localName
        self.trust = trust
        self.identity = identity
        self.isReachable = isReachable
        self.lastSeenTime = lastSeenTime
        self.hops = hops
        self.roundTrip = roundTrip
        self.successor = successor
        self.claimants = claimants
        self.profile = profile
        self.hubs = hubs
    }

    /// The digits that users compare to know that a name has the keys they expect.
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
