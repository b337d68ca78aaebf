/// An identity in the trust store.
///
/// Source: PROTOCOL §9.
public struct KnownPeer: Equatable, Sendable {
    /// The keys of the identity; they never change, because the ID certifies them.
    public let identity: PublicIdentity
    /// The trust state of the peer.
    public internal(set) var state: TrustState
    /// The name that the user gave the peer.
    public private(set) var petname: Nickname?
    /// The nickname that the peer chose.
    public private(set) var nickname: Nickname?
    /// The highest version of the peer's bundles; 0 before any bundle.
    public internal(set) var highestBundleVersion: UInt8
    /// The time of the first contact.
    ///
    /// Units: seconds since 1970 by the local clock.
    public let firstSeen: UInt32
    /// Whether the peer is stored and not evicted as an unknown peer: the user decided about it, an export named it, a
    /// rotation led to it, or its key was revoked.
    public internal(set) var isPinned: Bool
    /// The identity that replaced this one, or wants to.
    public internal(set) var successor: PublicIdentity?
    /// Whether the peer has also named identities other than the waiting successor.
    ///
    /// Another party may then hold its key.
    public internal(set) var isContested = false
    /// The time at which the successor replaced the peer; nil as long as it has not.
    public internal(set) var retiredAt: UInt32?

    /// Whether the peer was replaced so long ago that this node accepts nothing from it any more.
    var isPast = false
    /// The trust state before the peer was `changed`, `blocked` or `revoked`.
    var priorState: TrustState
    /// The counter of the newest accepted rotation.
    var rotationCounter: UInt32
    /// Identities that claim the peer's name and about which the user has not decided yet.
    package internal(set) var claimants: [PeerID] = []
    /// Identities whose claim the user has settled.
    var settledClaimants: [PeerID] = []
    /// The skeletons of the peer's names, for the detection of look-alikes.
    private(set) var skeletons: Set<String> = []

    /// Makes the entry of an identity that is seen for the first time.
    init(identity: PublicIdentity, firstSeen: UInt32) {
        self.identity = identity
        state = .unknown
        highestBundleVersion = 0
        self.firstSeen = firstSeen
        isPinned = false
        priorState = .unknown
        rotationCounter = 0
    }

    /// The name to show: the petname, else the nickname.
    public var name: Nickname? { petname ?? nickname }

    /// Whether the petname or the nickname looks like the given one.
    func isNamed(_ name: Nickname) -> Bool { skeletons.contains(name.skeleton) }

    /// Whether messages may be sent to the peer.
    var maySend: Bool {
        guard retiredAt == nil else { return false }
        return switch state {
        case .unknown, .tofu, .verified: true
        case .changed, .revoked, .blocked: false
        }
    }

    /// Marks all claims to this name as settled by the user.
    mutating func settleClaimants() {
        settledClaimants = (settledClaimants + claimants).suffix(TrustLimits.maximumClaimants)
        claimants = []
    }

    /// Changes the names and their skeletons.
    mutating func rename(petname: Nickname?, nickname: Nickname?) {
        self.petname = petname
        self.nickname = nickname
        skeletons = Set([petname, nickname].compactMap { $0?.skeleton })
    }
}
