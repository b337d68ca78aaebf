package import ChatCrypto
package import MeshCore
import SwiftProtobuf

/// The conversations of one node as a value: sessions, trust, outbox, receipts, order.
///
/// It reads the store through the snapshot of its ``step`` and leaves its writes and effects there. The shell opens the
/// step, applies the writes in one batch, and carries out the effects only then. If the store refuses the batch, the
/// shell returns to the engine as it was before the step. The engine has no sockets, clock or tasks.
package struct ChatEngine {
    /// The open step: reads of the store, writes and effects.
    package var step = ChatStep.closed
    /// Whether the store is known to have integrity digests over all rows.
    package private(set) var isWatched = true
    package let records: SecretSeals

    package var contacts: Contacts
    package var conversations = Conversations()
    package var outbox = Outbox()
    package var attachments = Attachments()
    var receipts = PendingReceipts()
    var reorder = ReorderBuffer()
    package var groups = Membership()
    package var earlier = EarlierMessages()
    /// The state of the room, if this is the engine of a room; nil in the engine of the node itself.
    package var room: RoomState?
    package var paths = Paths()
    var ways = Ways()
    var carriedArrivals = CarriedArrivals()
    /// The own receipts in the outbox that may be carried.
    var carriedReceipts: [MessageID: ReceiptCarriage] = [:]
    /// For each peer to whom a post may open a way, the time until which later messages wait for that way.
    var openings = Deadlines<PeerID>()
    /// The mail to and from other meshes.
    var far = FarMail()
    /// The invites by which people of different meshes write to each other for the first time.
    var invites = Invites()
    /// The releases of receipts for large groups, which are posted together.
    var gatheredReleases = GatheredReleases()
    var pending = PendingChanges()
    var timers = DisappearingMessages()
    var typing = TypingIndicators()
    var replies = StreamingReplies()
    var settings = ConversationSettings()
    var retentionSchedule = RetentionSchedule()
    /// The numbers of ignored changes by reason, since the node was made.
    package var ignoredChanges: [ChangeRefusal: UInt64] = [:]
    /// The mesh's present name of this node, which peers on the same segment can link to.
    package var meshNode: NodeID?
    var nextHousekeeping = MeshInstant.zero
    var prekeyMessages = PrekeyMessageGate()
    /// Whether the prekey bundle is to be published when the batch ends.
    var publishesBundle = false
    /// The delivery proofs to publish when the batch ends.
    var releases: [PeerID: [DeliveryProof]] = [:]
    /// The delivery proofs of mail to publish when the batch ends, each alone: no post shows that some belong together.
    var farReleases: [DeliveryProof] = []
    /// The number of contents from peers that were malformed, and dropped.
    package internal(set) var refusedContentCount: UInt64 = 0
    /// Whether peers are notified when the user has seen their messages.
    package var sendsReadReceipts = false
    /// Whether peers are notified that the user is typing.
    package var sendsTyping = false
    /// Whether messages and receipts are posted, or carried to their recipients.
    package var delivery = DeliverySetting.auto
    /// Whether the mesh is so busy that `auto` carries.
    package var isMeshBusy = false

    /// This node's own id.
    package var ownID: PeerID { contacts.ownID }

    /// The time at which `tick` has work to do.
    package var nextDeadline: MeshInstant {
        min(
            receipts.nextDeadline,
            reorder.nextDeadline,
            nextHousekeeping,
            paths.nextDeadline,
            ways.nextDeadline,
            openings.first ?? .distantFuture,
            gatheredReleases.nextDeadline,
            far.nextDeadline,
            groups.nextDeadline,
            earlier.nextDeadline,
            room?.nextDeadline ?? .distantFuture,
            timers.nextDeadline,
            retentionSchedule.nextCheck,
            typing.nextDeadline,
            prekeyMessages.nextDeadline,
            attachments.blobs.mayUnpark || outbox.hasDue ? .zero : .distantFuture
        )
    }

    /// Ends the step and returns its writes and effects.
    package mutating func takeStep() -> ChatStep {
        takeEffects()
        defer { step = .closed }
        return step
    }

    /// Whether the step has written so much that the next step should do the rest.
    package var isStepFull: Bool {
        mutating get {
            takeEffects()
            return step.isFull || outbox.reducedCount >= ChatLimits.stepWriteCount / 2
        }
    }

    /// Puts the writes of the machines into the step.
    package mutating func takeEffects() {
        write(conversations.takeChanges(), to: .conversations)
        write(settings.takeChanges(), to: .conversationSettings)
        write(pending.takeChanges(), to: .pendingChanges)
        write(timers.takeChanges(), to: .timers)
        write(receipts.takeChanges(), to: .pendingReceipts)
        write(reorder.takeChanges(), to: .reorderBuffer)
        write(earlier.takePullChanges(), to: .pulls)
        write(earlier.takeAnswerChanges(), to: .answers)
        write(outbox.takeChanges(), to: .outbox)
    }

    private mutating func write(
        _ changes: [(name: [UInt8], change: RecordChange<some SwiftProtobuf.Message>)],
        to table: Table
    ) {
        for (name, change) in changes {
            switch change {
            case .put(let record): step.put(table, name, record)
            case .insert(let record): step.insert(table, name, record)
            case .erase(let record): step.erase(table, name, conversation: nil, sequence: 0, leaving: record)
            case .delete: step.delete(table, name)
            }
        }
    }

    private mutating func write(_ changes: [(name: [UInt8], record: (some SwiftProtobuf.Message)?)], to table: Table) {
        for (name, record) in changes {
            if let record { step.put(table, name, record) } else { step.delete(table, name) }
        }
    }

    /// Changes a machine that queries the engine.
    ///
    /// - Parameters:
    ///   - machine: The engine's property.
    ///   - empty: The property's value during the call: the machine is moved out, so that it is not copied.
    ///   - body: Takes the machine, and the engine without it.
    mutating func lend<Machine, Result>(
        _ machine: WritableKeyPath<ChatEngine, Machine>,
        leaving empty: Machine,
        _ body: (inout Machine, ChatEngine) throws -> Result
    ) rethrows -> Result {
        var moved = empty
        swap(&moved, &self[keyPath: machine])
        defer { swap(&moved, &self[keyPath: machine]) }
        return try body(&moved, self)
    }

    /// Notes whether the store has integrity digests over all rows.
    package mutating func setWatched(_ isWatched: Bool) { self.isWatched = isWatched }

    /// Handles an effect of the mesh.
    package mutating func handle(_ effect: MeshEffect) throws {
        guard room?.isOver != true else { return }
        switch effect {
        case .deliver(let envelope, let id): try receive(envelope, trail: PathLabel(trailOf: id))
        case .transmitted(let id): try advance(id, to: .sent)
        case .carried(let id): try advance(id, to: .carried)
        case .linkUp(_, let node, _):
            paths.retire(indirectTo: node)
            carryOutPaths()
        case .pathMessage(let message) where message.isEnvelope: try receiveCarried(message)
        case .pathMessage(let message): receive(message)
        case .pathLost(let label):
            postUnderWay(ways.lose(label))
            paths.lose(label, at: step.time.monotonic)
            carryOutPaths()
        case .pathRefused(let label):
            postUnderWay(ways.lose(label))
            paths.abandon(label)
        case .linkDown, .pathReady, .send, .multicast, .far, .storeChanged, .dropped: break
        }
    }

    /// Handles an envelope that the mesh had stored already.
    ///
    /// - Parameter forGroups: Whether it is delivered again only because keys of groups have arrived since.
    package mutating func recall(_ envelope: Envelope, forGroups: Bool = false) throws {
        guard room?.isOver != true else { return }
        if envelope.kind == .far || envelope.kind == .farChunk {
            try receiveMail(envelope)
        } else if forGroups {
            try receiveGroupMessage(envelope)
        } else {
            try receive(envelope)
        }
    }

    /// Does all work that is due.
    package mutating func tick() throws {
        let now = step.time.monotonic
        try tickRoom()
        guard room?.isOver != true else { return }
        for silent in ways.takeSilent(at: now) { postUnderWay(silent) }
        for peer in openings.keys(until: now) { endOpening(to: peer) }
        postGatheredReleases(until: now)
        try tickFar()
        paths.tick(at: now)
        carryOutPaths()
        endTyping()
        try showOverdue()
        for peer in reorder.peers where !isStepFull { try showReady(of: peer) }
        try expireMessages()
        try keepWithinLimits()
        if attachments.blobs.mayUnpark { try fetchParked() }
        try tickGroups()
        if prekeyMessages.takeDue(at: now) { step.perform(.recallPrekeyMessages) }
        if nextHousekeeping <= now, !isStepFull {
            try runHousekeeping()
            nextHousekeeping = isStepFull ? now : now.advanced(by: ChatLimits.housekeeping)
        }
    }

    /// Spreads the prekey bundle and everything that was in transit when the node stopped.
    package mutating func begin() throws {
        try expireMessages()
        try runHousekeeping()
        let now = step.time.monotonic
        nextHousekeeping = isStepFull ? now : now.advanced(by: ChatLimits.housekeeping)
        if room == nil { try publishBundle() }
        far.begin(at: now)
        // Submitting a message to a group also writes it again; the other messages are only submitted.
        for pack in outbox.packsInOrder where pack.conversation.group == nil || !isStepFull { try resubmit(pack) }
        try beginGroups()
        try withAttachments { $0.resume(among: $1) }
    }

    /// Drops expired entries, renews the prekey, seals waiting messages, and resets the sessions with peers that do not
    /// answer.
    private mutating func runHousekeeping() throws {
        let time = step.time
        try keepContacts()
        keepInvites()
        for entry in outbox.inOrder where !isStepFull && entry.isOver(at: time.wall) { try fail(entry, .expired) }
        for pack in outbox.packsInOrder where !isStepFull && pack.isToSpread(at: time.wall) { try resubmit(pack) }
        for conversation in outbox.waitingConversations {
            if case .direct(let peer) = conversation, !trust.mayReceive(from: peer) {
                try refuse(peer)
            } else {
                outbox.markDue(conversation)
            }
        }
        checkLimits(at: time.monotonic)
        try keepGroups()
        spreadForgotten()
        while !isStepFull, pending.expire(at: time.wall, limit: ChatLimits.trimCount) > 0 {}
        startReadTimers()
        try expireFiles()
        try fetchParked()
        try withAttachments { attachments, sources in
            attachments.fetchOverdue(among: sources)
            attachments.fetchPiecesAgain(among: sources)
        }
        for peer in peersThatAnswerNothing(at: time) where !isStepFull {
            try resetSession(with: peer)
        }
    }

    /// Publishes the prekey bundle when the batch ends.
    mutating func publishBundle() throws {
        guard room == nil else { return try shareBundle() }
        publishesBundle = !identityHistory.isRevoked
    }

    /// Submits the prekey bundle if it is to be published: after the messages, which may announce a new identity.
    mutating func submitBundle() {
        guard publishesBundle else { return }
        let bundle = sessions.bundle
        let hours = UInt32(clamping: Int64(bundle.notAfterHour) - Int64(step.time.hours))
        let life = UInt16(clamping: UInt64(hours) * 360)
        step.perform(.submit(kind: .bundle, body: bundle.bytes, life: life))
        publishesBundle = false
    }
}
