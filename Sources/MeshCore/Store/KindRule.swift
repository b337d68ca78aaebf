/// The rule by which nodes treat the envelopes of one kind.
///
/// Source: PROTOCOL §2 envelope, §5 flooding and store.
public struct KindRule: Hashable, Sendable {
    /// The place in which nodes keep envelopes for nodes that come later.
    public enum Keeping: Hashable, Sendable {
        /// No place; for a moment a neighbour that lacks one may fetch it.
        case nowhere
        /// Memory.
        case memory
        /// Memory and the log on disk; no envelope that shows names belongs there.
        case disk
    }

    /// The part that an envelope has in proofs of delivery, by which nodes drop envelopes that have arrived.
    public enum DeliveryProof: Hashable, Sendable {
        /// None.
        case none
        /// The body begins with a hash of 16 bytes; an envelope with the preimage proves that this one has arrived.
        case expected
        /// The body is such a preimage, of 16 bytes: nodes drop the envelopes that begin with its hash.
        case given
    }

    /// The place in which nodes keep the envelopes.
    public let keeping: Keeping
    /// The priority when a store is full.
    public let importance: StoreClass
    /// The part in proofs of delivery.
    public let deliveryProof: DeliveryProof
    /// The longest life; nodes shorten a longer one.
    ///
    /// Units: ticks of 10 s.
    public let longestLife: UInt16
    /// Whether opening one costs a recipient much more than others do: neighbours may bring few of them unasked.
    public let isCostly: Bool
    /// Whether nodes offer the newest of them to a new neighbour at once.
    public let isOfferedFirst: Bool

    /// Makes a rule.
    public init(
        keeping: Keeping,
        importance: StoreClass = .message,
        deliveryProof: DeliveryProof = .none,
        longestLife: UInt16 = Envelope.maximumLife,
        isCostly: Bool = false,
        isOfferedFirst: Bool = false
    ) {
        self.keeping = keeping
        self.importance = importance
        self.deliveryProof = deliveryProof
        self.longestLife = min(longestLife, Envelope.maximumLife)
        self.isCostly = isCostly
        self.isOfferedFirst = isOfferedFirst
    }

    /// The rule for messages to peers that may be offline.
    public static let message = KindRule(keeping: .disk, deliveryProof: .expected)
    /// The rule for messages that begin a session.
    public static let firstMessage = KindRule(keeping: .disk, deliveryProof: .expected, isCostly: true)
    /// The rule for proofs of delivery.
    public static let proof = KindRule(
        keeping: .disk,
        importance: .release,
        deliveryProof: .given,
        longestLife: 8_640
    )
    /// The rule for parts of large objects, which make room for all other kinds.
    public static let chunk = KindRule(keeping: .disk, importance: .chunk, longestLife: 4_320)
    /// The rule for announcements to all nodes.
    public static let announcement = KindRule(keeping: .memory, importance: .announcement)
    /// The rule for announcements that peers need before they can write to each other.
    public static let introduction = KindRule(keeping: .memory, importance: .announcement, isOfferedFirst: true)
    /// The rule for messages that are worthless a minute later.
    public static let live = KindRule(keeping: .nowhere, longestLife: 6)
    /// The rule for the mesh's own searches for paths.
    static let probe = KindRule(keeping: .nowhere, longestLife: 2)

    /// The lane on which an envelope leaves that came by `arrived`.
    func lane(arrived: Lane) -> Lane {
        switch importance {
        case .release: .control
        case .chunk: .background
        case .announcement, .message: arrived == .background ? .background : .interactive
        }
    }
}

/// The priorities of stored envelopes, the most expendable first.
public enum StoreClass: Int, CaseIterable, Sendable {
    /// Parts of large objects; they leave on the background lane.
    case chunk = 0
    /// Announcements to all nodes.
    case announcement = 1
    /// Messages that a peer waits for.
    case message = 2
    /// Proofs of delivery, which make room; they leave on the lane before all others.
    case release = 3

    /// The order in which a node's own envelopes go.
    ///
    /// A peer waits for an own message. Without an own proof of delivery other nodes only keep for longer an envelope that
    /// no peer waits for, and there is one proof for each message that came.
    static let ownOrder: [StoreClass] = [.chunk, .release, .announcement, .message]
}
