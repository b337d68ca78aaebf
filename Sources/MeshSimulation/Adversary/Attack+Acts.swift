import MeshCore

/// The acts that an attack repeats at its rate.
extension Attack {
    /// Performs one act.
    mutating func act(_ net: inout SimNet) {
        switch adversary.behaviour {
        case .share, .lifefirst: write(byteCount: Self.junkByteCount, life: Envelope.maximumLife)
        case .sybil: writeUnderManyIDs(net)
        case .probes: write(.probe, byteCount: 256, life: 2)
        case .offercpu: offerNothing()
        case .ihavecpu: sendToNext(TreeMessage.announce((0..<60).map { _ in random.next() }).encoded())
        case .pathcpu: sendToNext(HostileMessage.routed(to: random.next()))
        case .statusflood: show(HostileMessage.status(sentCount), net)
        case .depthliar: show(HostileMessage.lie(sentCount), net)
        case .shelfgrind: writeGround()
        case .sync: offer()
        case .reconnect: restart(at: 0, as: NodeID(random.next()), net)
        case .linkkill: copyNodeID(net)
        case .ban: sendPacket(HostileMessage.senseless, claiming: hosts[0].claimed, limit: 40, &net)
        case .reflect: sendPacket(HostileMessage.challenges, claiming: Self.victimEndpoint, limit: .max, &net)
        case .outsider: dialAgain(&net)
        case .dialamp: sendBeacon(claiming: Self.victimEndpoint, as: .fromElsewhere, &net)
        case .fakes: sendBeacon(claiming: inventedEndpoint(), as: .lasting, &net)
        case .pushforge: pushJunk(&net)
        case .poison, .eclipse, .offlink, .holes, .waysink, .trailsteal: break
        }
    }

    // MARK: - Messages

    private mutating func write(_ kind: EnvelopeKind = .sealed, byteCount: Int, life: UInt16) {
        sendToNext(HostileMessage.envelope(sentCount, kind, byteCount: byteCount, life: life))
    }

    /// Sends a message on the next link, in turn; does nothing without links.
    @discardableResult
    private mutating func sendToNext(_ message: [UInt8]) -> Bool {
        let index = sentCount % hosts.count
        let links = hosts[index].links
        guard !links.isEmpty else { return false }
        let link = links[sentCount / hosts.count % links.count]
        guard hosts[index].send(message, on: link.id) else { return false }
        sentCount += 1
        return true
    }

    private mutating func writeUnderManyIDs(_ net: SimNet) {
        guard !hosts[0].links.isEmpty else { return }
        let count = sentCount
        if isUsedUp { return restart(at: 0, as: NodeID(random.next()), net) }
        write(byteCount: Self.junkByteCount, life: Envelope.maximumLife)
        isUsedUp = sentCount > count && sentCount.isMultiple(of: Self.messagesPerID)
    }

    /// Offers 1,000 envelopes that do not exist on one link, the same 20 times on others, and then one at a time.
    private mutating func offerNothing() {
        for index in hosts.indices where !preparedHosts.contains(index) {
            guard let link = hosts[index].links.first else { return }
            var ids = SplitMix64(seed: 5)
            let offer = HostileMessage.offer((0..<1_000).map { _ in ids.next() })
            for _ in 0..<(index == 0 ? 1 : 20) { hosts[index].send(offer, on: link.id) }
            preparedHosts.insert(index)
        }
        sendToNext(HostileMessage.offer([random.next()]))
    }

    private mutating func show(_ status: LinkStatus, _ net: SimNet) {
        guard !hosts[0].links.isEmpty else { return }
        hosts[0].setStatus(status, now: net.now)
        sentCount += 1
    }

    /// Writes the next envelope whose place is on the attacked shelf.
    private mutating func writeGround() {
        guard let groundShelf, !hosts[0].links.isEmpty else { return }
        while true {
            groundNumber += 1
            let message = HostileMessage.envelope(groundNumber, byteCount: Self.junkByteCount)
            guard let id = HostileMessage.shortID(of: message) else { return }
            guard groundShelf.covers(UInt16(truncatingIfNeeded: id >> 48)) else { continue }
            sendToNext(message)
            return
        }
    }

    /// Offers the next envelopes, many at a time.
    private mutating func offer() {
        guard let link = hosts[0].links.first else { return }
        let message = HostileMessage.envelope(sentCount, byteCount: Self.syncByteCount)
        guard let id = HostileMessage.shortID(of: message) else { return }
        numbers[id] = sentCount
        offered.append(id)
        sentCount += 1
        guard offered.count == Self.offerCount else { return }
        hosts[0].send(HostileMessage.offer(offered), on: link.id)
        offered.removeAll()
    }

    // MARK: - Handshakes and datagrams

    /// Begins again under another node id, with its key unless the id is copied, and dials at once.
    private mutating func restart(at index: Int, as node: NodeID, isCopied: Bool = false, _ net: SimNet) {
        hosts[index].restart(as: node, isCopied: isCopied)
        preparedHosts.remove(index)
        isUsedUp = false
        for target in targets(net) { hosts[index].dial(target.endpoint, now: net.now) }
    }

    /// Dials under the node id of the next honest host, as its beacon shows it.
    private mutating func copyNodeID(_ net: SimNet) {
        let index = sentCount % hosts.count
        sentCount += 1
        guard hosts[index].links.isEmpty, let node = net.snapshot(of: 1 + index)?.nodeID else { return }
        restart(at: index, as: node, isCopied: true, net)
    }

    /// Sends a packet on the link, past the link layer.
    private mutating func sendPacket(_ frames: [UInt8], claiming source: Endpoint?, limit: Int, _ net: inout SimNet) {
        guard sentCount < limit, let connection = hosts[0].connection, !hosts[0].links.isEmpty,
            let target = targets(net).first
        else { return }
        let packet = HostileMessage.packet(frames, connection: connection, number: UInt64(Self.firstPacket + sentCount))
        net.send(packet, ofHostile: hosts[0].number, claiming: source, to: target.endpoint)
        sentCount += 1
    }

    /// Repeats an INIT that shows a cookie, under another connection number.
    private mutating func dialAgain(_ net: inout SimNet) {
        let targets = targets(net)
        guard !targets.isEmpty else { return }
        let target = targets[sentCount % targets.count]
        let index = sentCount / targets.count % hosts.count
        sentCount += 1
        guard let proven = hosts[index].provenInitiations[target.host] else { return }
        let connection = UInt32(truncatingIfNeeded: random.next())
        let initiation = HostileMessage.initiation(like: proven, connection: connection)
        net.send(initiation, ofHostile: hosts[index].number, claiming: nil, to: target.endpoint)
    }

    private mutating func sendBeacon(
        claiming source: Endpoint,
        as manner: HostileMessage.BeaconManner,
        _ net: inout SimNet
    ) {
        guard let heard = hosts[0].beacon else { return }
        let beacon = HostileMessage.beacon(
            like: heard,
            node: NodeID(random.next() >> 8),
            port: source.port,
            sequence: UInt16(truncatingIfNeeded: sentCount),
            manner
        )
        net.multicast(beacon, ofHostile: hosts[0].number, claiming: source, on: Self.segment)
        sentCount += 1
    }

    /// Pushes an envelope that nobody can open, under an invented node id.
    private mutating func pushJunk(_ net: inout SimNet) {
        let envelope = HostileMessage.envelope(sentCount, byteCount: Self.junkByteCount, life: Envelope.maximumLife)
        let source = inventedEndpoint()
        let push = HostileMessage.push(envelope, node: NodeID(random.next()), port: source.port)
        net.multicast(push, ofHostile: hosts[0].number, claiming: source, on: Self.segment)
        sentCount += 1
    }

    private mutating func inventedEndpoint() -> Endpoint {
        let number = random.next()
        return Self.endpoint([10, 201, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    // MARK: - Reactions

    /// Reacts to what came in this step.
    mutating func react() {
        switch adversary.behaviour {
        case .poison: passOn()
        case .sync: serve()
        case .reconnect: fillLinks()
        case .waysink:
            relay.serve(&hosts[0])
            sentCount = relay.postCount
        case .trailsteal:
            thief.serve(&hosts[0], using: &random)
            sentCount = thief.claimCount
        default: break
        }
    }

    /// Passes each new envelope on to all other links, with a life that ends at once.
    private mutating func passOn() {
        for index in hosts.indices {
            for (bytes, link) in hosts[index].messages {
                guard let id = HostileMessage.shortID(of: bytes), numbers[id] == nil,
                    let short = HostileMessage.withLife(1, bytes)
                else { continue }
                numbers[id] = sentCount
                for other in hosts.indices {
                    for target in hosts[other].links where other != index || target.id != link.id {
                        hosts[other].send(short, on: target.id)
                        sentCount += 1
                    }
                }
            }
        }
    }

    /// Sends the offered envelopes that neighbours request.
    private mutating func serve() {
        for (bytes, link) in hosts[0].messages {
            for id in HostileMessage.wanted(bytes) ?? [] {
                guard let number = numbers[id] else { continue }
                let message = HostileMessage.envelope(number, byteCount: Self.syncByteCount)
                hosts[0].send(message, on: link.id, lane: .background)
            }
        }
    }

    /// Sends all that a new link may send at once.
    private mutating func fillLinks() {
        for index in hosts.indices where !hosts[index].links.isEmpty && !preparedHosts.contains(index) {
            preparedHosts.insert(index)
            for _ in 0..<Self.burst { write(byteCount: 40, life: 360) }
        }
    }

    /// The size of the body of junk: the least that a node stores.
    private static let junkByteCount = 24
    private static let syncByteCount = 1_000
    private static let messagesPerID = 10
    private static let offerCount = 500
    private static let burst = 2_000
    /// The number of the first packet that passes the link layer, which numbers its own from 0.
    private static let firstPacket = 300
}
