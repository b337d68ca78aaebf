import ChatCrypto
import MeshCore

extension ChatEngine {
    /// Adds a pending receipt for a message that is on disk; an unknown peer gets it once accepted.
    ///
    /// - Parameters:
    ///   - deliveryProof: The delivery proof that ends the message's envelope; nil if it was sent already.
    ///   - carriage: The manner in which it goes along the trail of the message's post; nil if it may not.
    ///   - delay: The time for which it is collected with others.
    mutating func addPendingReceipt(
        _ id: MessageID,
        _ deliveryProof: DeliveryProof? = nil,
        to peer: PeerID,
        in conversation: ConversationID,
        carriage: ReceiptCarriage? = nil,
        delay: Duration = .zero
    ) {
        receipts.add(
            id,
            deliveryProof,
            to: peer,
            in: conversation,
            carriage: carriage,
            delay: delay,
            isAccepted: isAccepted(peer),
            at: step.time.monotonic
        )
    }

    /// Schedules the receipt that has waited for a message's files.
    mutating func confirmComplete(_ message: MessageID) {
        guard let peer = receipts.recipient(of: message)?.peer else { return }
        receipts.schedule(message, isAccepted: isAccepted(peer), at: step.time.monotonic)
    }

    /// Queues one receipt for what waits for one of `recipient`'s, if it can be sealed now.
    ///
    /// It is sealed in the batch that made it due: one write makes message and receipt durable.
    mutating func queueReceipts(for recipient: PendingReceipts.Recipient) throws {
        let (peer, now) = (recipient.peer, step.time)
        guard recipient.isMember || isAccepted(peer) else { return receipts.release(recipient, at: nil) }
        guard !recipient.isMember || trust.maySend(to: peer), let identity = identity(of: peer),
            contacts.canSeal(to: identity, of: identityHistory.generation(knownTo: peer), at: now.seconds)
        else {
            let next = now.monotonic.advanced(by: ChatLimits.housekeeping)
            return receipts.release(recipient, at: next, isUnsealable: true)
        }
        if recipient.isMember, carries, !ways.isOpen(to: peer, at: now.monotonic),
            let end = receipts.endOfPatience(for: recipient), end > now.monotonic
        {
            return receipts.release(recipient, at: end)
        }
        let due = receipts.take(for: recipient, at: now.monotonic)
        guard due.receipt != MessageContent.Receipt() else { return }
        let id = queueReceipt(due.receipt, to: peer, asMember: recipient.isMember)
        let isCovered = !recipient.isMember && carriedArrivals.cover(due.receipt)
        carriedReceipts[id] = isCovered ? .unkept : due.carriage
        for deliveryProof in due.deliveryProofs { release(deliveryProof, of: peer) }
    }

    /// Queues a receipt, which stays in the outbox until its release comes back; returns its id.
    ///
    /// - Parameter isMember: Whether it is for messages to a group; such a receipt says nothing of hubs.
    @discardableResult
    mutating func queueReceipt(
        _ receipt: MessageContent.Receipt,
        to peer: PeerID,
        asMember isMember: Bool = false
    ) -> MessageID {
        let generation = identityHistory.generation(knownTo: peer)
        var content = contacts.withProfile(MessageContent.receipt(receipt, salt: randomBytes(16), at: step.time))
        // A peer that knows an earlier identity gets the list of hubs once it knows the present one.
        if !isMember, generation == identityHistory.generation { content = contacts.withHubs(content, to: peer) }
        let id = MessageContent.id(of: content, from: ownID, to: peer)
        outbox.enqueue(
            id,
            content,
            in: .direct(peer),
            as: .receipt,
            by: generation,
            at: step.time.wall
        )
        return id
    }

    // MARK: - Releases

    /// Notes a delivery proof to publish when the batch ends.
    mutating func release(_ deliveryProof: DeliveryProof, of peer: PeerID) {
        guard releases[peer]?.contains(deliveryProof) != true else { return }
        releases[peer, default: []].append(deliveryProof)
    }

    /// Whether the release of its envelope may tell a sender that it has arrived.
    ///
    /// An unknown peer's messages wait until the user accepts; the control messages of groups are for their members.
    func isNotified(_ sender: PeerID, of body: MessageContent.Body?) -> Bool {
        switch body {
        case .receipt, .groupNote: isAccepted(sender) || groups.isGroupMember(sender) || isApplicant(sender)
        // A contact that has changed has sent statements before, so that a release tells it nothing new.
        case .statement: isAccepted(sender) || trust.state(of: sender) == .changed
        default: isAccepted(sender)
        }
    }

    /// Publishes the delivery proofs of the batch, those of one peer together.
    mutating func submitReleases() {
        for peer in releases.keys.sorted() {
            for body in DeliveryProof.releases(of: releases[peer] ?? []) {
                step.perform(.submit(kind: .release, body: body, life: ChatLimits.releaseLife))
            }
        }
        releases = [:]
        for proof in farReleases {
            for body in DeliveryProof.releases(of: [proof]) {
                step.perform(.submit(kind: .release, body: body, life: ChatLimits.releaseLife))
            }
        }
        farReleases = []
    }

    /// Returns the public identity of a contact, or of a peer that only a group knows.
    func identity(of peer: PeerID) -> PublicIdentity? {
        trust[peer]?.identity ?? groups.identity(of: peer)
    }
}
