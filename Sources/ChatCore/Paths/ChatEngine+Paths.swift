package import ChatCrypto
import MeshCore

/// The join of the paths with sessions, trust, streams and transfers.
extension ChatEngine {
    /// Sends a ping to a peer; `endPing` reports the result.
    ///
    /// - Parameter isLive: Whether question and answer may be lost, each on every link of its way.
    package mutating func ping(_ peer: PeerID, number: UInt64, isLive: Bool = false) throws {
        try checkTrust(in: peer)
        guard isAccepted(peer) else { throw noSession(with: peer) }
        let before = paths
        do {
            try paths.ping(peer, number: number, isLive: isLive, at: step.time.monotonic)
            for effect in paths.takeEffects() { try carryOut(effect) }
        } catch {
            paths = before
            throw error
        }
    }

    /// Answers a hello for this node from a contact or a member of a common group.
    mutating func receiveHello(_ body: [UInt8], from label: PathLabel) {
        let now = step.time
        guard let (opened, generation) = open(InboundPacket(kind: .probe, body: body), at: now.seconds), !opened.isEnd,
            commit(opened, of: generation, sentAt: nil),
            mayOpenPath(to: opened.sender.id), let secret = PathHello.secret(in: opened.contents.first ?? []),
            let meshNode
        else { return }
        discovered(opened.sender, nil)
        paths.answer(opened.sender.id, label, secret, from: meshNode, at: now.monotonic)
        carryOutPaths()
    }

    /// Handles a payload for an own label, from a peer to which a path may be opened.
    mutating func receive(_ message: PathMessage) {
        guard let peer = paths.peer(at: message.to), mayOpenPath(to: peer) else { return }
        paths.receive(message, isContact: isAccepted(peer), at: step.time.monotonic)
        carryOutPaths()
    }

    /// Carries out the effects of the paths.
    ///
    /// A refused hello is tried again later, and no caller waits for it.
    mutating func carryOutPaths() {
        for effect in paths.takeEffects() { try? carryOut(effect) }
    }

    private mutating func carryOut(_ effect: PathEffect) throws {
        switch effect {
        case .hello(let peer, let secret): try sayHello(to: peer, secret)
        case .send(let message): step.perform(.sendOnPath(message))
        case .link(let node): step.perform(.linkDirectly(node))
        case .discovered(let peer): if let identity = trust[peer]?.identity { discovered(identity, nil) }
        case .answered(let peer): sendWaitingTyping(to: peer)
        case .retired(let peer): if isFetching(from: peer) { findPath(to: peer) }
        case .endPing(let number, let answer): step.perform(.endPing(number, answer))
        case .typing(let isTyping, let digits, let peer): receiveTyping(isTyping, inGroup: digits, from: peer)
        case .streamingReply(let part, let peer): receive(part, from: peer)
        case .transfer(let event): step.perform(.transfer(event))
        }
    }

    /// Seals a hello, which only the peer can open, and floods it.
    private mutating func sayHello(to peer: PeerID, _ secret: SecretBytes) throws {
        guard let recipient = trust[peer]?.identity else { return }
        guard sessions.unansweredCount(to: peer) < ChatLimits.helloChainCount else {
            throw ChatError(.limited, "\(name(of: peer)) has not answered for a long time. Wait until they do.")
        }
        guard let hello = seal([PathHello.content(secret)], as: identityHistory.generation, to: recipient, in: .probe)
        else {
            throw noSession(with: peer)
        }
        paths.begin(PathLabel(trailOf: hello.id), to: peer, secret, at: step.time.monotonic)
        step.perform(.openPath(hello: hello.body))
    }

    private func noSession(with peer: PeerID) -> ChatError {
        ChatError(.noSession, "You and \(name(of: peer)) have not talked yet. Send a message first.")
    }

    // MARK: - Opening

    /// Whether a path to a peer may be opened: to a contact, and for files of a group to its other members.
    package func mayOpenPath(to peer: PeerID) -> Bool {
        isAccepted(peer) || trust.mayReceive(from: peer) && trust.maySend(to: peer) && groups.isGroupMember(peer)
    }

    /// Searches for a path to a peer, or reports an existing one.
    package mutating func findPath(to peer: PeerID) {
        guard mayOpenPath(to: peer) else { return }
        paths.findPath(for: peer, at: step.time.monotonic)
        carryOutPaths()
    }

    /// Searches for paths to the peers that have not received all large attachments of a message.
    package mutating func offerPaths() {
        let entries = outbox.entries.values.filter { entry in
            entry.kind != .receipt
                && attachments.blobs.entries(of: entry.id).contains { $0.isOutgoing && !$0.reference.isSmall }
        }
        let peers = Set(entries.compactMap(\.peer)).sorted()
        for peer in peers.prefix(ChatLimits.offerCount) where !paths.hasPath(to: peer) {
            findPath(to: peer)
        }
    }
}
