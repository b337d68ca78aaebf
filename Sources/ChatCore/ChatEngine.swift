package import ChatCrypto
package import MeshCore

/// The conversations of one node as a value: sessions, trust, outbox, receipts, order.
///
/// It reads the store through the snapshot of its ``step`` and leaves there the writes and effects. The shell opens the
/// step, applies the writes as one, and only then carries out the effects; if the store refuses, it goes back to the
/// engine before the step. No sockets, no clock, no tasks.
package struct ChatEngine {
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
    /// The open step: reads of the store, writes and effects.
    package var step = ChatStep.closed
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

    /// Ends the step and hands out its writes and effects.
    package mutating func takeStep() -> ChatStep {
        defer { step = .closed }
        return step
    }

    /// Notes whether the store has sums over all rows.
    package mutating func setWatched(_ isWatched: Bool) { self.isWatched = isWatched }

    /// Takes what the mesh reports.
    package mutating func handle(_ output: MeshReport) throws {
        guard room?.isOver != true else { return }
        switch output {
        case .delivered(let envelope):
            try receive(envelope)
        case .recalled(let envelope):
            try receiveGroupMessage(envelope)
        case .transmitted(let id):
            try advance(id, to: .sent)
        case .carried(let id):
            try advance(id, to: .carried)
        case .pathMessage(let message):
            receive(message)
        case .pathLost(let label):
            losePath(to: label)
        case .pathRefused(let label):
            paths.abandon(label)
        case .linked(let node):
            for peer in paths.retire(indirectTo: node) where isFetching(from: peer) {
                lookForPath(to: peer)
            }
        }
    }

    /// Does what has come due.
    package mutating func tick() throws {
        let now = step.time.monotonic
        try tickRoom()
        guard room?.isOver != true else { return }
        tickPaths()
        try sendDueReceipts()
        while !step.isFull, let peer = held.overdue(at: now) {
            guard let first = held.takeFirst(of: peer) else { break }
            try show(first, of: peer)
            try showReady(of: peer)
        }
        for peer in held.peers where !step.isFull { try showReady(of: peer) }
        try expireMessages()
        try keepWithinLimits()
        if blobs.mayUnpark { fetchParked() }
        try tickGroups()
        if nextHousekeeping <= now, !step.isFull {
            try keepHouse()
            nextHousekeeping = step.isFull ? now : now.advanced(by: ChatLimits.housekeeping)
        }
    }

    /// Spreads the bundle and everything that was on its way when the node stopped.
    package mutating func begin() throws {
        try expireMessages()
        try keepHouse()
        let now = step.time.monotonic
        nextHousekeeping = step.isFull ? now : now.advanced(by: ChatLimits.housekeeping)
        if room == nil { try publishBundle() }
        for entry in outbox.inOrder where entry.envelope != nil {
            try resubmit(entry)
        }
        try beginGroups()
        let tags = blobs.waitingTags
        if !tags.isEmpty { step.perform(.recall(tags: tags)) }
        for entry in blobs.incompleteLarge { fetch(entry) }
    }

    /// Drops what has expired, renews the prekey, seals what waits, and begins again with peers that answer nothing.
    private mutating func keepHouse() throws {
        let time = step.time
        trust.expire(at: time.seconds)
        let published = sessions.bundle.sequence
        records.write(sessions.expire(at: time.seconds), of: standing.generation, in: &step)
        try keepStanding()
        if sessions.bundle.sequence != published { try publishBundle() }
        let expired = outbox.inOrder.filter { entry in
            let age = time.wall - min(time.wall, entry.createdAt)
            return age >= (entry.isReceipt ? ChatLimits.receiptAge : ChatLimits.outboxAge)
        }
        for entry in expired where !step.isFull {
            try fail(entry, .expired)
        }
        for peer in outbox.waitingPeers {
            if trust.mayReceive(from: peer) {
                try sealWaiting(for: peer)
            } else {
                try refuse(peer)
            }
        }
        lookAtLimits(at: time.monotonic)
        try keepGroups()
        spreadForgotten()
        expireEarly()
        startReadTimers()
        try expireFiles()
        fetchParked()
        fetchOverdue()
        for peer in peersThatAnswerNothing(at: time) where !step.isFull {
            try beginAgain(with: peer)
        }
    }

    mutating func publishBundle() throws {
        guard room == nil else { return try shareBundle() }
        guard !standing.isRevoked else { return }
        let bundle = sessions.bundle
        let hours = UInt32(clamping: Int64(bundle.notAfterHour) - Int64(step.time.hours))
        let life = UInt16(clamping: UInt64(hours) * 360)
        step.perform(.submit(kind: .bundle, body: bundle.bytes, life: life))
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
