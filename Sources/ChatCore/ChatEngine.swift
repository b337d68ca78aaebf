package import ChatCrypto
package import MeshCore

/// The conversations of one node as a value: sessions, trust, outbox, receipts, order.
///
/// Every step takes a ``ChatTransaction``: it reads the store through it and leaves in it what is to be written and
/// what is to follow. The shell works on a copy, applies the writes as one, and only then keeps the copy and carries
/// out the effects; if the store refuses, nothing has happened. No sockets, no clock, no tasks.
package struct ChatEngine: Sendable {
    /// A peer whose bundle is known or that has been heard.
    struct KnownPeer: Sendable {
        let identity: PublicIdentity
        var bundle: IdentityBundle?
        var lastSeen: UInt64 = 0
        /// The `lastSeen` that the store has.
        var storedLastSeen: UInt64 = 0
        /// How it wants to be shown.
        var profile = ProfileStatement()
    }

    /// What is kept of a conversation besides its messages.
    package struct ConversationState: Sendable {
        package var record: ProtoConversationRecord
        /// The place of the next message; read from the store when it is first needed.
        var nextSequence: UInt64?

        /// Begins with nothing said.
        init(record: ProtoConversationRecord) {
            self.record = record
        }

        /// Takes up what the store holds.
        init(restoring stored: ProtoConversationRecord) {
            record = stored
            record.nextOrder = stored.nextOrder.bounded
            record.expectedOrder = stored.expectedOrder.bounded
            record.unread = stored.unread.bounded
            record.received = stored.received.bounded
        }
    }

    package var nickname: String
    /// Whether the store is known to have sums over all rows.
    package private(set) var isWatched = true
    package let records: SecretSeals

    package var sessions: SessionTable
    package var trust: TrustBook
    /// Which identities the user has had.
    package var standing = Standing()
    var ownProfile = ProfileStatement()
    var peers: [PeerID: KnownPeer] = [:]
    package var conversations: [PeerID: ConversationState] = [:]
    package var outbox = Outbox()
    package var blobs = BlobTable()
    var owed = OwedReceipts()
    var held = HoldBack()
    package var groups = GroupBook()
    /// What makes this the engine of one room; nil in that of the node itself.
    package var room: RoomPart?
    package var paths = PeerPaths()
    var early = EarlyChanges()
    var timers = MessageTimers()
    /// When the first message goes whose time runs.
    var nextTimer = MeshInstant.distantFuture
    var typing = TypingSigns()
    var growing = GrowingAnswers()
    var wishes = WishBook()
    /// How many changes were ignored, and why, since the node was made.
    package var ignoredChanges: [ChangeRefusal: UInt64] = [:]
    /// The mesh's present name of this node, which peers on the same segment can link to.
    package var meshNode: NodeID?
    var nextHousekeeping = MeshInstant.zero
    /// Units: milliseconds since 1970 when the node was started.
    var startedAt: UInt64 = 0
    /// Peers with sessions from before the start, but for those that were begun again with since.
    var doubted: Set<PeerID> = []
    /// Whether peers are told when their messages have been looked at.
    package var sendsReadReceipts = false
    /// Whether peers are told that somebody types here.
    package var sendsTyping = false

    /// This node's own id.
    package var ownID: PeerID { sessions.identity.publicIdentity.id }

    /// When `tick` has something to do.
    package var nextDeadline: MeshInstant {
        min(
            owed.nextDeadline,
            held.nextDeadline,
            nextHousekeeping,
            paths.nextDeadline,
            groups.nextDeadline,
            room?.nextDeadline ?? .distantFuture,
            nextTimer,
            wishes.nextLook,
            blobs.mayUnpark ? .zero : .distantFuture
        )
    }

    /// Notes whether the store has sums over all rows.
    package mutating func setWatched(_ isWatched: Bool) { self.isWatched = isWatched }

    /// Takes what the mesh reports.
    package mutating func handle(_ output: MeshReport, in transaction: inout ChatTransaction) throws {
        guard room?.isOver != true else { return }
        switch output {
        case .delivered(let envelope):
            try receive(envelope, in: &transaction)
        case .recalled(let envelope):
            try receiveGroupMessage(envelope, in: &transaction)
        case .transmitted(let id):
            try advance(id, to: .sent, in: &transaction)
        case .carried(let id):
            try advance(id, to: .carried, in: &transaction)
        case .pathMessage(let message):
            receive(message, in: &transaction)
        case .pathLost(let label):
            losePath(to: label, in: &transaction)
        case .pathRefused(let label):
            paths.abandon(label)
        case .linked(let node):
            for peer in paths.retire(indirectTo: node) where isFetching(from: peer) {
                lookForPath(to: peer, in: &transaction)
            }
        }
    }

    /// Does what has come due.
    package mutating func tick(in transaction: inout ChatTransaction) throws {
        let now = transaction.time.monotonic
        try tickRoom(in: &transaction)
        guard room?.isOver != true else { return }
        tickPaths(in: &transaction)
        try sendDueReceipts(in: &transaction)
        while !transaction.isFull, let peer = held.overdue(at: now) {
            guard let first = held.takeFirst(of: peer) else { break }
            try show(first, of: peer, in: &transaction)
            try showReady(of: peer, in: &transaction)
        }
        for peer in held.peers where !transaction.isFull { try showReady(of: peer, in: &transaction) }
        try expireMessages(in: &transaction)
        try keepWithinLimits(in: &transaction)
        if blobs.mayUnpark { fetchParked(in: &transaction) }
        try tickGroups(in: &transaction)
        if nextHousekeeping <= now, !transaction.isFull {
            try keepHouse(in: &transaction)
            nextHousekeeping = transaction.isFull ? now : now.advanced(by: ChatLimits.housekeeping)
        }
    }

    /// Spreads the bundle and everything that was on its way when the node stopped.
    package mutating func begin(in transaction: inout ChatTransaction) throws {
        try expireMessages(in: &transaction)
        try keepHouse(in: &transaction)
        let now = transaction.time.monotonic
        nextHousekeeping = transaction.isFull ? now : now.advanced(by: ChatLimits.housekeeping)
        if room == nil { try publishBundle(in: &transaction) }
        for entry in outbox.inOrder where entry.envelope != nil {
            try resubmit(entry, in: &transaction)
        }
        try beginGroups(in: &transaction)
        let tags = blobs.waitingTags
        if !tags.isEmpty { transaction.perform(.recall(tags: tags)) }
        for entry in blobs.incompleteLarge { fetch(entry, in: &transaction) }
    }

    /// Drops what has expired, renews the prekey, seals what waits, and begins again with peers that answer nothing.
    private mutating func keepHouse(in transaction: inout ChatTransaction) throws {
        let time = transaction.time
        trust.expire(at: time.seconds)
        let published = sessions.bundle.sequence
        records.write(sessions.expire(at: time.seconds), of: standing.generation, in: &transaction)
        try keepStanding(in: &transaction)
        if sessions.bundle.sequence != published { try publishBundle(in: &transaction) }
        let expired = outbox.inOrder.filter { entry in
            let age = time.wall - min(time.wall, entry.createdAt)
            return age >= (entry.isReceipt ? ChatLimits.receiptAge : ChatLimits.outboxAge)
        }
        for entry in expired where !transaction.isFull {
            try fail(entry, .expired, in: &transaction)
        }
        for peer in outbox.waitingPeers {
            if trust.mayReceive(from: peer) {
                try sealWaiting(for: peer, in: &transaction)
            } else {
                try refuse(peer, in: &transaction)
            }
        }
        lookAtLimits(at: time.monotonic)
        try keepGroups(in: &transaction)
        spreadForgotten(in: &transaction)
        expireEarly(in: &transaction)
        startReadTimers(in: &transaction)
        try expireFiles(in: &transaction)
        fetchParked(in: &transaction)
        fetchOverdue(in: &transaction)
        for peer in peersThatAnswerNothing(at: time) where !transaction.isFull {
            try beginAgain(with: peer, in: &transaction)
        }
    }

    mutating func publishBundle(in transaction: inout ChatTransaction) throws {
        guard room == nil else { return try shareBundle(in: &transaction) }
        guard !standing.isRevoked else { return }
        let bundle = sessions.bundle
        let hours = UInt32(clamping: Int64(bundle.notAfterHour) - Int64(transaction.time.hours))
        let life = UInt16(clamping: UInt64(hours) * 360)
        transaction.perform(.submit(kind: .bundle, body: bundle.bytes, life: life))
    }
}

/// What the mesh reports, as far as conversations need it.
package enum MeshReport: Sendable {
    /// An envelope that was never here before.
    case delivered(Envelope)
    /// An envelope that was here before, for the groups whose keys have come since.
    case recalled(Envelope)
    /// The first datagram of an own envelope has left.
    case transmitted(EnvelopeID)
    /// A neighbour holds an own envelope.
    case carried(EnvelopeID)
    /// A payload came for one of this node's labels.
    case pathMessage(PathMessage)
    /// There is no way to this label any more.
    case pathLost(PathLabel)
    /// What was to go to this label, or to be opened under it, was not taken.
    case pathRefused(PathLabel)
    /// A link to this node came up.
    case linked(NodeID)
}
