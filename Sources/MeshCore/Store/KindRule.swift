/// The rule by which nodes treat the envelopes of one kind.
///
/// Source: PROTOCOL §2 envelope, §5 flooding and store.
public struct KindRule: Hashable, Sendable {
    /// The storage of envelopes for nodes that come later.
    public enum Storage: Hashable, Sendable {
        /// Not stored.
        ///
        /// A neighbour that lacks the envelope can request it for a short time.
        case nowhere
        /// Stored in memory.
        case memory
        /// Stored in memory and in the log on disk.
        ///
        /// Envelopes that contain names must not use it.
        case disk
    }

    /// The role of an envelope in delivery proofs, with which nodes remove delivered envelopes.
    public enum DeliveryProof: Hashable, Sendable {
        /// No role.
        case none
        /// The body holds a hash of 16 bytes, at its beginning or at `proofOffset`.
        ///
        /// An envelope with the delivery proof proves that this one has been delivered.
        case expected
        /// The body consists of 1, 4, 16 or 64 such delivery proofs of 16 bytes.
        ///
        /// Nodes remove the envelopes that hold their hashes.
        case given
    }

    /// The storage of the envelopes.
    public let storage: Storage
    /// The priority when a store is full.
    public let importance: StoreClass
    /// The sizes of the bodies.
    public private(set) var sizes: BodySizes
    /// The role in delivery proofs.
    public let deliveryProof: DeliveryProof
    /// The number of bytes before the hash in the body.
    public let proofOffset: Int
    /// The longest life.
    ///
    /// Nodes shorten a longer one.
    ///
    /// Units: ticks of 10 s.
    public let longestLife: UInt16
    /// Whether a fresh envelope gets the longest life, counted from its arrival, whatever its header says.
    ///
    /// An envelope is fresh if it came soon after its author wrote it. So no relay decides how long others keep it.
    public let hasFullLifeWhenFresh: Bool
    /// Whether the first bytes of the body decide which nodes keep an envelope, so that pieces of an object lie together.
    ///
    /// Else the id decides.
    public let isPlacedByBody: Bool
    /// Whether opening such an envelope costs a recipient much more than others.
    ///
    /// Neighbours may send few of them unrequested.
    public let isCostly: Bool
    /// Whether nodes offer the newest of them to a new neighbour at once.
    public let isOfferedFirst: Bool
    /// Whether nodes remember the way back to the author of a fresh one, for answers.
    public let leavesTrail: Bool
    /// Whether such an envelope concerns the gateways, which pass mail between meshes.
    public let isForGateways: Bool

    /// Creates a rule.
    public init(
        storage: Storage,
        importance: StoreClass = .message,
        sizes: BodySizes = .any,
        deliveryProof: DeliveryProof = .none,
        proofOffset: Int = 0,
        longestLife: UInt16 = Envelope.maximumLife,
        hasFullLifeWhenFresh: Bool = false,
        isPlacedByBody: Bool = false,
        isCostly: Bool = false,
        isOfferedFirst: Bool = false,
        leavesTrail: Bool = false,
        isForGateways: Bool = false
    ) {
        self.storage = storage
        self.importance = importance
        self.sizes = sizes
        self.deliveryProof = deliveryProof
        self.proofOffset = proofOffset
        self.longestLife = min(longestLife, Envelope.maximumLife)
        self.hasFullLifeWhenFresh = hasFullLifeWhenFresh
        self.isPlacedByBody = isPlacedByBody
        self.isCostly = isCostly
        self.isOfferedFirst = isOfferedFirst
        self.leavesTrail = leavesTrail
        self.isForGateways = isForGateways
    }

    /// Returns the same rule for bodies of other sizes.
    public func sized(_ sizes: BodySizes) -> KindRule {
        var copy = self
        copy.sizes = sizes
        return copy
    }

    /// The longest life of messages: 72 h.
    ///
    /// Units: ticks of 10 s.
    private static let messageLife: UInt16 = 25_920

    /// The rule for messages to peers that may be offline.
    public static let message = KindRule(
        storage: .disk,
        deliveryProof: .expected,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true,
        leavesTrail: true
    )
    /// The rule for messages that begin a session.
    public static let firstMessage = KindRule(
        storage: .disk,
        deliveryProof: .expected,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true,
        isCostly: true,
        leavesTrail: true
    )
    /// The rule for delivery proofs.
    public static let proof = KindRule(
        storage: .disk,
        importance: .release,
        deliveryProof: .given,
        longestLife: 8_640,
        isForGateways: true
    )
    /// The rule for chunks of large objects, which make room for all other kinds.
    public static let chunk = KindRule(
        storage: .disk,
        importance: .chunk,
        longestLife: 4_320,
        isPlacedByBody: true
    )
    /// The rule for announcements to all nodes.
    public static let announcement = KindRule(storage: .memory, importance: .announcement)
    /// The rule for announcements that peers need before they can write to each other.
    public static let introduction = KindRule(storage: .memory, importance: .announcement, isOfferedFirst: true)
    /// The rule for messages that also lie in a mailbox elsewhere: the name of the mailbox, 16 bytes, precedes the hash.
    public static let farMessage = KindRule(
        storage: .disk,
        deliveryProof: .expected,
        proofOffset: 16,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true,
        isForGateways: true
    )
    /// The rule for chunks that also lie in a mailbox elsewhere; nothing proves their delivery.
    public static let farChunk = KindRule(
        storage: .disk,
        importance: .chunk,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true,
        isForGateways: true
    )
    /// The rule for the heads of large messages: two bytes precede the hash.
    public static let head = KindRule(
        storage: .disk,
        deliveryProof: .expected,
        proofOffset: 2,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true
    )
    /// The rule for requests to those who reach such mailboxes.
    public static let watch = KindRule(
        storage: .memory,
        importance: .announcement,
        longestLife: 120,
        isForGateways: true
    )
    /// The rule for the announcements of those who reach such mailboxes.
    public static let gateway = KindRule(
        storage: .memory,
        importance: .announcement,
        longestLife: 60,
        isForGateways: true
    )
    /// The rule for kinds that only later versions know.
    public static let later = KindRule(
        storage: .disk,
        importance: .later,
        longestLife: messageLife,
        hasFullLifeWhenFresh: true
    )
    /// The rule for messages that lose their value within a minute.
    public static let live = KindRule(storage: .nowhere, longestLife: 6)
    /// The rule for the mesh's own path probes.
    static let probe = KindRule(
        storage: .nowhere,
        sizes: .range(StoragePolicy.probeByteCounts),
        longestLife: 2,
        leavesTrail: true
    )

    /// Whether such an envelope is mail that gateways pass on.
    var isMail: Bool { isForGateways && (deliveryProof == .expected || importance == .chunk) }

    /// Returns the lane on which an envelope that arrived on `arrived` leaves.
    func lane(arrived: Lane) -> Lane {
        switch importance {
        case .release: .control
        case .chunk: .background
        case .later, .announcement, .message: arrived.isFresh ? .interactive : .background
        }
    }
}

/// The priorities of stored envelopes, the most expendable first.
public enum StoreClass: Int, CaseIterable, Sendable {
    /// Chunks of large objects.
    ///
    /// They leave on the background lane.
    case chunk = 0
    /// Envelopes of kinds that only later versions know.
    case later = 1
    /// Announcements to all nodes.
    case announcement = 2
    /// Messages that a peer waits for.
    case message = 3
    /// Delivery proofs, which make room.
    ///
    /// They leave on the lane before all others.
    case release = 4

    /// The order in which a node's own envelopes are evicted.
    ///
    /// A peer waits for an own message. Without an own delivery proof, other nodes only keep an envelope longer that no
    /// peer waits for, and there is one proof for each message that arrived.
    static let ownOrder: [StoreClass] = [.chunk, .later, .release, .announcement, .message]
}
