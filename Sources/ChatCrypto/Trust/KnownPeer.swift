/// One identity as the trust book knows it.
///
/// Source: PROTOCOL §9.
public struct KnownPeer: Equatable, Sendable {
    /// The keys; they never change, because the ID certifies them.
    public let identity: PublicIdentity
    /// How far it is trusted.
    public internal(set) var state: TrustState
    /// What the user calls it.
    public private(set) var petname: Nickname?
    /// What it calls itself.
    public private(set) var nickname: Nickname?
    /// The highest suite that a bundle of it has offered; 0 before any bundle.
    public internal(set) var highestSuite: Int
    /// Units: seconds since 1970 by one's own clock.
    public let firstSeen: UInt32
    /// Whether the user ever decided anything about it; only then is it stored, and never evicted.
    public internal(set) var isPinned: Bool
    /// The identity that its owner went on to, or wants to.
    public internal(set) var successor: PublicIdentity?
    /// Whether it has stated others besides the successor that waits: whoever did that, somebody else has its key.
    public internal(set) var isContested = false
    /// When it was replaced by its successor; nil as long as it is not.
    public internal(set) var retiredAt: UInt32?

    /// Whether it was replaced so long ago that nothing of it is taken any more.
    var isPast = false
    /// The state before it was `changed` or `blocked`.
    var priorState: TrustState
    /// The counter of the newest rotation taken.
    var rotationCounter: UInt32
    /// Identities that claim its name and that the user has not dealt with yet.
    package internal(set) var claimants: [PeerID] = []
    /// Identities whose claim the user knows of and has dealt with.
    var settledClaimants: [PeerID] = []
    /// What its names look like.
    private(set) var skeletons: Set<String> = []

    /// Starts with an identity that is seen for the first time.
    init(identity: PublicIdentity, firstSeen: UInt32) {
        self.identity = identity
        state = .unknown
        highestSuite = 0
        self.firstSeen = firstSeen
        isPinned = false
        priorState = .unknown
        rotationCounter = 0
    }

    /// The name to show: the user's own, else the peer's.
    public var name: Nickname? { petname ?? nickname }

    /// Whether its petname or nickname looks like this one.
    func isNamed(_ name: Nickname) -> Bool { skeletons.contains(name.skeleton) }

    /// Whether something may be sent to it.
    var maySend: Bool {
        guard retiredAt == nil else { return false }
        return switch state {
        case .unknown, .tofu, .verified: true
        case .changed, .revoked, .blocked: false
        }
    }

    /// The user has dealt with everybody who claims this name.
    mutating func settleClaimants() {
        settledClaimants = (settledClaimants + claimants).suffix(TrustLimits.maximumClaimants)
        claimants = []
    }

    /// Changes its names, and with them what they look like.
    mutating func rename(petname: Nickname?, nickname: Nickname?) {
        self.petname = petname
        self.nickname = nickname
        skeletons = Set([petname, nickname].compactMap { $0?.skeleton })
    }
}
