/// Pushes between the router and the segments, and the links to those who pushed.
extension MeshEngine {
    /// Tells the router which segments there are and which of them are crowded, if that has changed.
    mutating func noteSegments(now: MeshInstant) {
        let present = discovery.machine.segments
        guard present != segments else { return }
        segments = present
        router.machine.setSegments(present, now: now)
    }

    /// Sends an envelope to all nodes of a segment.
    func push(_ envelope: [UInt8], on segment: InterfaceID, into effects: inout [MeshEffect]) {
        guard let port = discovery.machine.unicastPort(on: segment) else { return }
        let datagram = PushDatagram(unicastPort: port, node: nodeID, envelope: envelope)
        effects.append(.multicast(datagram.encoded(), on: segment))
    }

    /// Handles a push that was heard.
    mutating func receivePush(_ bytes: [UInt8], from source: Endpoint, now: MeshInstant) {
        guard discovery.machine.segment(of: source) != nil else { return routerEffects.append(.dropped(.offLink)) }
        guard let push = PushDatagram(decoding: bytes) else {
            return routerEffects.append(.dropped(.malformedMessage))
        }
        guard !discovery.machine.isOwn(push.node) else { return }
        let endpoint = Endpoint(interface: source.interface, address: source.address, port: push.unicastPort)
        router.machine.receivePush(
            push.envelope,
            from: Trail.Pusher(node: push.node, endpoint: endpoint),
            on: source.interface,
            now: now,
            over: &links,
            into: &routerEffects
        )
    }

    // MARK: - Trails

    /// Has a payload to the trail of a push wait for a link to the node that pushed it; returns false if it may go.
    mutating func holds(_ payload: PushTrails.Payload, to label: PathLabel, now: MeshInstant) -> Bool {
        guard let pusher = paths.pusher(of: label, now: now) else { return false }
        if let link = links.table.links.first(where: { discovery.machine.node(of: $0) == pusher.node }) {
            paths.note(Trail(label: label, hop: .link(link.id), isProbe: false), now: now)
            return false
        }
        guard links.table.hasAddressCapacity(for: pusher.node, at: pusher.endpoint) else { return false }
        return discovery.machine.linkDirectly(pusher.node, at: pusher.endpoint, now: now, into: &discoveryEffects)
            && paths.pushTrails.hold(payload, to: label, for: pusher.node, now: now)
    }

    /// Sends the payloads that have waited for a link, or for too long.
    mutating func send(
        _ payloads: [(payload: PushTrails.Payload, label: PathLabel)],
        over link: LinkInfo? = nil,
        now: MeshInstant
    ) {
        for (payload, label) in payloads {
            if let link { paths.note(Trail(label: label, hop: .link(link.id), isProbe: false), now: now) }
            switch payload {
            case .own(let message): sendOnPath(message, now: now)
            case .passing(let bytes, let from): receive(bytes, lane: .control, from: from, now: now)
            }
        }
    }
}
