import ChatCrypto
import MeshCore

/// Carrying: direct messages and receipts that go along the way to their recipient instead of being posted.
///
/// Source: PROTOCOL §10 content and receipts.
extension ChatEngine {
    /// Whether direct messages and receipts are carried at present.
    package var carries: Bool {
        guard room == nil else { return false }
        return delivery == .fast || delivery == .auto && isMeshBusy
    }

    /// Whether the next message to a peer can be carried.
    func carries(to peer: PeerID) -> Bool { carries && ways.isOpen(to: peer, at: step.time.monotonic) }

    /// Handles an envelope that came along a way.
    mutating func receiveCarried(_ message: PathMessage) throws {
        guard let envelope = Envelope(decoding: message.payload[...]) else { return }
        switch envelope.kind {
        case .sealed: try receiveSealed(envelope, along: .way(to: message.to, from: message.from))
        case .release: try receiveRelease(envelope.body, alongWayTo: message.to)
        default: break
        }
    }

    /// Notes the way by which a message of a contact, or of a member of a common group, came.
    mutating func note(_ route: InboundRoute?, of peer: PeerID) {
        guard let route, mayOpenPath(to: peer) else { return }
        let now = step.time.monotonic
        switch route {
        case .trail(let label): ways.follow(label, to: peer, at: now)
        case .way(let own, let label): ways.note(label, of: peer, at: own, now: now)
        case .far: return
        }
        guard ways.isOpen(to: peer, at: now) else { return }
        endOpening(to: peer)
        let recipient = PendingReceipts.Recipient(peer: peer, isMember: true)
        receipts.hasten(recipient, to: now.advanced(by: ChatLimits.gatheringDelay))
    }

    /// Sends a sealed pack along the way to a peer; false if it has to be posted.
    ///
    /// It stays in the outbox until its receipt or release comes, unless it has nothing but receipts that nobody keeps.
    mutating func carry(_ pack: [MessageID], in envelope: SealedEnvelope, to peer: PeerID) -> Bool {
        let (hasMessage, now) = (pack.contains { outbox[$0]?.isMessage == true }, step.time.monotonic)
        let isKept = hasMessage || pack.contains { carriedReceipts[$0] ?? .unkept > .unkept }
        let isGrouped = !hasMessage && pack.contains { carriedReceipts[$0] == .grouped }
        guard carries(to: peer), envelope.kind == .sealed, pack.allSatisfy(mayBeCarried),
            hasMessage || pack.allSatisfy({ carriedReceipts[$0] != nil }),
            !isKept || ways.hasRoom(to: peer, isGrouped: isGrouped)
        else { return false }
        let carried = Envelope(kind: envelope.kind, life: ChatLimits.sealedLife, body: envelope.body)
        guard let message = ways.carry(carried, to: peer, at: now) else { return false }
        step.perform(.sendOnPath(message))
        if isKept {
            ways.expectReceipt(for: envelope.id, from: peer, at: now, isGrouped: isGrouped)
        } else {
            for id in pack { takeOut(id) }
        }
        return true
    }

    // MARK: - Receipts

    /// Whether so many members of a group answer a message that their receipts, and the releases of these, are gathered.
    func isLarge(_ group: GroupID) -> Bool {
        groups.membership(group)?.recipients.count ?? 0 >= ChatLimits.gatheredMemberCount
    }

    /// Returns the receipts in a message of receipts alone; none in any other.
    private func receiptsAlone(in items: [ReceivedContent]) -> [MessageContent.Receipt] {
        let receipts = items.compactMap { item -> MessageContent.Receipt? in
            if case .receipt(let receipt)? = item.decoded?.body { receipt } else { nil }
        }
        return receipts.count == items.count ? receipts : []
    }

    /// Returns the groups of own messages that receipts name, as far as these are in the outbox.
    private func groupsNamed(in receipts: [MessageContent.Receipt]) -> [GroupID] {
        receipts.flatMap { receipt in
            receipt.packs.compactMap { outbox.pack(proofHash: $0)?.conversation.group }
                + receipt.delivered.compactMap { outbox[$0]?.conversation.group }
        }
    }

    /// Has the release of a member's carried receipts for a large group wait for those of other members; false if it is
    /// another message.
    mutating func gatherRelease(_ proof: DeliveryProof, of items: [ReceivedContent], by sender: PeerID) -> Bool {
        let named = groupsNamed(in: receiptsAlone(in: items))
        guard carries, let group = named.first(where: { isLarge($0) && groups.isMember(sender, of: $0) })
        else { return false }
        gatheredReleases.insert(proof, of: group, at: step.time.monotonic)
        return true
    }

    /// Posts the releases that were gathered until now.
    mutating func postGatheredReleases(until now: MeshInstant) {
        for proofs in gatheredReleases.take(until: now) {
            for body in DeliveryProof.releases(of: proofs) {
                step.perform(.submit(kind: .release, body: body, life: ChatLimits.releaseLife))
            }
        }
    }

    /// Carries the release of a message of receipts alone back to its sender, who keeps it.
    ///
    /// Receipts that name only what is under way nobody keeps. Without a way that for receipts of a member of a group is
    /// posted: the member waits for it for long.
    mutating func releaseAlongWay(_ proof: DeliveryProof, of items: [ReceivedContent], to peer: PeerID) {
        let receipts = receiptsAlone(in: items)
        guard !receipts.isEmpty, !receipts.allSatisfy(namesOnlyUnderWay) else { return }
        guard carries(to: peer) else {
            if groupsNamed(in: receipts).contains(where: { groups.isMember(peer, of: $0) }) { release(proof, of: peer) }
            return
        }
        for body in DeliveryProof.releases(of: [proof]) {
            let release = Envelope(kind: .release, life: ChatLimits.releaseLife, body: body)
            let message = ways.carry(release, to: peer, at: step.time.monotonic)
            if let message { step.perform(.sendOnPath(message)) }
        }
    }

    private func namesOnlyUnderWay(_ receipt: MessageContent.Receipt) -> Bool {
        let packs = receipt.packs.map { outbox.pack(proofHash: $0)?.id }
        let envelopes = packs + receipt.delivered.map { outbox[$0]?.envelope }
        return receipt.read.isEmpty && envelopes.allSatisfy { $0.map(ways.isUnderWay) ?? false }
    }

    /// Releases and confirms a post that was carried to this node before; false if it is another one.
    ///
    /// It is not opened again, so it may be forged: nothing is believed of it, its trail neither.
    ///
    /// - Parameter mailbox: The mailbox from which it was taken; nil for a post in this mesh.
    mutating func receivePostOfCarried(_ envelope: Envelope, in mailbox: MailboxKey? = nil) -> Bool {
        guard [.sealed, .prekey].contains(envelope.kind), carriedArrivals.count > 0,
            case let hash = Array(envelope.body.prefix(DeliveryProofHash.byteCount)),
            let (arrival, isDue) = carriedArrivals.takeAgain(hash, at: step.time.monotonic)
        else { return false }
        let proof = arrival.deliveryProof
        if let mailbox { farReleases.append(mailbox.proof(of: proof)) }
        guard isDue else { return true }
        if mailbox == nil { release(proof, of: arrival.sender) }
        // A receipt that waits, for example for files, stays as it is.
        for id in arrival.contents where receipts.recipient(of: id) == nil && !attachments.blobs.isIncomplete(id) {
            addPendingReceipt(id, to: arrival.sender, in: .direct(arrival.sender))
        }
        return true
    }

    /// Whether a receipt for a content is expected at once: no receipt names a control message, and that of a message
    /// with files waits for them.
    private func mayBeCarried(_ id: MessageID) -> Bool {
        outbox[id]?.isControl == false && attachments.blobs.entries(of: id).isEmpty
    }

    // MARK: - Opening

    /// Whether messages to a peer wait for a way that the post before them may open.
    func isOpening(to peer: PeerID) -> Bool { carries && openings[peer] != nil }

    /// Has the next messages to a peer wait for the way that a post with a message may open, for a moment.
    mutating func openWay(to peer: PeerID, by pack: [MessageID]) {
        let now = step.time.monotonic
        guard carries, !ways.isOpen(to: peer, at: now), openings.count < ChatLimits.wayCount,
            pack.contains(where: { outbox[$0]?.isMessage == true })
        else { return }
        openings[peer] = now.advanced(by: ChatLimits.firstPatience)
    }

    /// Seals what has waited for the way to a peer.
    mutating func endOpening(to peer: PeerID) {
        guard openings[peer] != nil else { return }
        openings[peer] = nil
        outbox.markDue(.direct(peer))
    }

    // MARK: - Ending

    /// Ends an envelope under way whose receipt came; its own receipts have arrived too, and no release tells so.
    mutating func endUnderWay(_ envelope: EnvelopeID) {
        guard ways.confirm(envelope, at: step.time.monotonic) else { return }
        for id in outbox.pack(of: envelope)?.contents ?? [] where outbox[id]?.kind == .receipt { takeOut(id) }
    }

    /// Seals, to be posted, everything that is under way or waits for a way, and publishes all releases, because this node
    /// stops listening.
    package mutating func stopCarrying() {
        delivery = .private
        for ended in ways.takeAll() { postUnderWay(ended) }
        for peer in openings.keys(until: .distantFuture) { endOpening(to: peer) }
        postGatheredReleases(until: .distantFuture)
        receipts.hastenMembers(to: step.time.monotonic)
    }

    /// Seals again, to be posted, what was under way when a way ended.
    mutating func postUnderWay(_ ended: (peer: PeerID, envelopes: [EnvelopeID])?) {
        guard let ended else { return }
        for envelope in ended.envelopes {
            guard let pack = outbox.pack(of: envelope) else { continue }
            outbox.unseal(pack)
            // The way may still be open, or opens again.
            for id in pack.contents where carriedReceipts[id] == .grouped { carriedReceipts[id] = nil }
        }
        outbox.markDue(.direct(ended.peer))
    }
}
