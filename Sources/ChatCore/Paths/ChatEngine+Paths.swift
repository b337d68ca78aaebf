import Bytes
package import ChatCrypto
import MeshCore

extension ChatEngine {
    // MARK: - Pings

    /// Asks a peer to answer; `endPing` tells what came of it.
    ///
    /// - Parameter isLive: Whether question and answer may be lost, each on every link of its way.
    package mutating func ping(
        _ peer: PeerID,
        number: UInt64,
        isLive: Bool = false
    ) throws {
        try checkTrust(in: peer)
        guard isAccepted(peer) else { throw noSession(with: peer) }
        guard paths.pings.count < ChatLimits.pingCount else {
            throw ChatError(.limited, "\(ChatLimits.pingCount) pings are under way already; wait for their answers.")
        }
        let before = paths
        let now = step.time.monotonic
        let timeout = isLive ? ChatLimits.livePingTimeout : ChatLimits.pingTimeout
        paths.begin(
            PeerPaths.Ping(number: number, peer: peer, isLive: isLive, deadline: now.advanced(by: timeout))
        )
        do {
            try sendPings(to: peer)
        } catch {
            paths = before
            throw error
        }
    }

    /// Sends the pings that wait for a peer, or looks for a path first.
    private mutating func sendPings(to peer: PeerID) throws {
        let now = step.time.monotonic
        guard let path = paths.path(to: peer) else {
            if paths.takeHello(to: peer, now: now) { try sayHello(to: peer) }
            return
        }
        for ping in paths.takeWaiting(for: peer, now: now) {
            send(.request(ping.number), on: path.own, isLive: ping.isLive)
        }
    }

    /// Does what is due: ends pings, forgets paths, says hello again.
    mutating func tickPaths() {
        let now = step.time.monotonic
        guard paths.nextDeadline <= now else { return }
        for number in paths.expire(now: now) { step.perform(.endPing(number, nil)) }
        for peer in paths.waitingPeers {
            // What refuses a hello now may not refuse the next; the ping's own time is the limit.
            try? sendPings(to: peer)
        }
    }

    // MARK: - Opening

    /// Looks for a path to a peer: a hello that it alone can open.
    mutating func sayHello(to peer: PeerID) throws {
        guard let recipient = trust[peer]?.identity else { return }
        guard sessions.unansweredCount(to: peer) < ChatLimits.helloChainCount else {
            throw ChatError(.limited, "\(name(of: peer)) has not answered for long; wait until it does.")
        }
        let secret = SecretBytes.random(count: PathSeal.secretByteCount)
        let now = step.time
        do {
            let sealed = try sessions.seal(
                PathHello.content(secret),
                as: .probe,
                to: recipient,
                bundle: nil,
                at: now.seconds
            )
            records.write(sealed.change, of: standing.generation, in: &step)
            let own = Self.newLabel()
            paths.put(PeerPaths.Path(peer: peer, own: own, secret: secret, lastUsed: now.monotonic))
            step.perform(.openPath(own, hello: sealed.message.body))
        } catch {
            throw noSession(with: peer)
        }
    }

    private func noSession(with peer: PeerID) -> ChatError {
        ChatError(.noSession, "You and \(name(of: peer)) have not talked yet; send a message first.")
    }

    /// Answers a hello, if it is for this node and from somebody that the user talks to, or a fellow member of a group.
    mutating func receiveHello(_ body: [UInt8]) {
        let now = step.time
        guard let (opened, generation) = open(InboundPacket(kind: .probe, body: body), at: now.seconds), !opened.isEnd,
            let label = UInt64(bigEndianBytes: body.prefix(PathLabel.byteCount)),
            commit(opened, of: generation, sentAt: nil)
        else { return }
        guard mayOpenPath(to: opened.sender.id), let secret = PathHello.secret(in: opened.content), let meshNode else {
            return
        }
        heard(opened.sender, nil)
        let (remote, own) = (PathLabel(label), Self.newLabel())
        let seal = PathSeal(secret: secret, opener: remote.bytes, answerer: own.bytes, end: .answerer)
        paths.put(
            PeerPaths.Path(
                peer: opened.sender.id,
                own: own,
                remote: remote,
                secret: secret,
                seal: seal,
                lastUsed: now.monotonic
            )
        )
        send(.answer(meshNode), on: own, isFirst: true)
        step.perform(.transfer(.pathOpened(opened.sender.id)))
    }

    private static func newLabel() -> PathLabel {
        PathLabel(randomBytes(PathLabel.byteCount).reduce(0) { $0 << 8 | UInt64($1) })
    }

    // MARK: - Payloads

    /// Takes a payload for an own label; one that its path's other end did not seal changes nothing.
    mutating func receive(_ message: PathMessage) {
        guard var path = paths.path(own: message.to), let opened = Self.open(message, on: &path),
            mayOpenPath(to: path.peer)
        else { return }
        let now = step.time.monotonic
        path.lastUsed = now
        // What the hops started at is the peer's word; a false one misleads only the display.
        let hops = max(1, Int(message.hops) - Int(opened.startingHops))
        switch opened.content {
        case .answer(let node):
            path.node = node
            paths.put(path)
            paths.note(path.peer, hops: hops, node: node, now: now)
            if let peer = trust[path.peer]?.identity { heard(peer, nil) }
            if hops > 1 { step.perform(.linkDirectly(node)) }
            try? sendPings(to: path.peer)
            sendWaitingTyping(to: path.peer)
            step.perform(.transfer(.pathOpened(path.peer)))
        case .request(let number):
            paths.put(path)
            // How far away one is, is for those to know whom one talks to.
            guard isAccepted(path.peer) else { return }
            paths.note(path.peer, hops: hops, node: nil, now: now)
            send(.reply(number), on: path.own, isLive: message.isLive)
        case .reply(let number):
            paths.put(path)
            guard let roundTrip = paths.end(number, by: path.peer, now: now) else { return }
            paths.note(path.peer, hops: hops, roundTrip: roundTrip, node: nil, now: now)
            step.perform(.endPing(number, PingAnswer(hops: hops, roundTrip: roundTrip)))
        case .typing(let isTyping):
            paths.put(path)
            receiveTyping(isTyping, from: path.peer)
        case .groupTyping(let digits, let isTyping):
            paths.put(path)
            receiveTyping(isTyping, inGroup: digits, from: path.peer)
        case .growing(let part):
            paths.put(path)
            receiveGrowing(part, from: path.peer)
        case .blob(let message):
            paths.put(path)
            step.perform(.transfer(.message(message, from: path.peer, on: path.own)))
        }
    }

    /// Opens a payload; the first on a path of this node must be the answer, and brings the other end's label.
    private static func open(
        _ message: PathMessage,
        on path: inout PeerPaths.Path
    ) -> (content: PathContent, startingHops: UInt8)? {
        var seal = path.seal
        if seal == nil, let remote = message.from {
            seal = PathSeal(secret: path.secret, opener: path.own.bytes, answerer: remote.bytes, end: .opener)
        }
        guard let seal, let opened = seal.open(message.payload), path.seen.insert(opened.number),
            let decoded = PathContent.decode(opened.content)
        else { return nil }
        if path.seal == nil {
            guard case .answer = decoded.content else { return nil }
            path.seal = seal
            path.remote = message.from
        }
        return decoded
    }

    /// Seals content for the other end of a path.
    mutating func send(
        _ content: PathContent,
        on own: PathLabel,
        isFirst: Bool = false,
        isLive: Bool = false
    ) {
        guard let path = paths.path(own: own), let remote = path.remote else { return }
        let startingHops = UInt8.random(in: 0...7)
        guard let payload = path.seal?.seal(content.encoded(startingHops: startingHops)) else { return }
        paths.put(path)
        step.perform(
            .sendOnPath(
                PathMessage(
                    to: remote,
                    from: isFirst ? own : nil,
                    hops: startingHops,
                    isLive: isLive,
                    payload: payload
                )
            )
        )
    }

    /// Takes the news that a label is out of reach, and looks for another way where pings wait.
    mutating func losePath(to remote: PathLabel) {
        for peer in paths.lose(remote) {
            if paths.bestPath(to: peer) == nil { step.perform(.transfer(.pathLost(peer))) }
            if paths.waitingPeers.contains(peer) { try? sendPings(to: peer) }
        }
    }
}
