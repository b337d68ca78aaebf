/// The part of a mesh in its gateway: reports of the kinds that concern it, and mail that it fetched elsewhere.
///
/// Source: PROTOCOL §20 gateways.
extension Router {
    /// The link, and the node, from which fetched mail seems to come.
    private static let farLink = LinkID(.max)
    static let farNode = NodeID(.max)

    /// Reports from now on what concerns a gateway, and at once what is stored.
    package mutating func attachGateway(now: MeshInstant, into effects: inout [RouterEffect]) {
        hasGateway = true
        for entry in store.forGateways {
            var envelope = entry.envelope
            envelope.life = StoragePolicy.life(until: entry.deadline, now: now)
            guard envelope.life > 0, entry.origin != Self.farNode else { continue }
            let link = entry.origin == nil ? nil : Self.pushLink
            effects.append(.far(FarEnvelope(envelope: envelope, id: entry.id, link: link)))
        }
    }

    /// Reports a new envelope to the gateway, if it concerns one.
    ///
    /// - Parameter link: The link that brought it; nil for this node's own.
    func noteForGateway(_ arrival: Arrival, from link: LinkID?, into effects: inout [RouterEffect]) {
        guard hasGateway, arrival.rule.isForGateways else { return }
        effects.append(.far(FarEnvelope(envelope: arrival.envelope, id: arrival.id, link: link)))
    }

    /// Delivers and spreads an envelope that the gateway fetched; a known one goes no further.
    ///
    /// All fetched mail together has a quarter of the store, and chunks have half of that. Beyond it nothing more spreads,
    /// so that no hub can fill the stores of a mesh.
    package mutating func inject(
        _ fetched: Envelope,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        var envelope = fetched
        guard let rule = configuration.kinds.rule(for: envelope), rule.isMail, envelope.life > 0
        else { return effects.append(.dropped(.malformedMessage)) }
        envelope.life = min(envelope.life, rule.longestLife)
        let id = envelopeID(kind: envelope.kind, body: envelope.body)
        guard store.wants(id.shortID) else { return effects.append(.dropped(.duplicate)) }
        guard store.hasRoomForFar(bodyByteCount: envelope.body.count, rule) else {
            return effects.append(.dropped(.limited))
        }
        let arrival = Arrival(envelope: envelope, rule: rule, id: id)
        guard take(arrival, from: Self.farNode, now: now, into: &effects) else { return }
        if !relay.serves(Self.farLink) { relay.add(Self.farLink, now: now) }
        relay(arrival, holders: [Self.farLink], now: now, over: &sender, into: &effects)
    }
}
