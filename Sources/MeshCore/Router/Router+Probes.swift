/// The probes, which look for paths, are pushed on crowded segments and go on all other links, and are stored nowhere.
///
/// While more of them are pushed than pass, they go on the links of those segments: on the eager ones and some others.
///
/// Source: PROTOCOL §5.1.
extension Router {
    /// Returns whether this node may send a probe now.
    ///
    /// Its probes have a share of the rate beside those of its links.
    package func admitsProbe(byteCount: Int, now: MeshInstant) -> Bool {
        probes.admitsOwn(byteCount: Envelope.headerByteCount + byteCount, now: now)
    }

    /// Takes a new probe, which goes on at its link's turn.
    ///
    /// One that its link's queue has no room for may still come by another link.
    mutating func receiveProbe(
        _ arrival: Arrival,
        from link: LinkID,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let message = arrival.envelope.encoded()
        let item = RelayBudget.Item(
            shortID: arrival.id.shortID,
            lane: arrival.rule.lane(arrived: .interactive),
            origin: link,
            byteCount: message.count,
            since: now,
            probe: arrival
        )
        let admission = probes.admit(item, now: now)
        guard admission != .refused else {
            if link == Self.pushLink { probePushesResume = now.advanced(by: configuration.probePushRest) }
            return effects.append(.dropped(.limited))
        }
        store.see(arrival.id.shortID)
        if admission == .atOnce { passOnProbe(item, now: now, over: &sender, into: &effects) }
    }

    /// Delivers a probe whose turn has come, and forwards it, but not on the link by which it came.
    mutating func passOnProbe(
        _ item: RelayBudget.Item,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        guard let arrival = item.probe else { return }
        effects.append(.deliver(arrival.envelope, id: arrival.id))
        noteTrail(of: arrival, from: item.origin, into: &effects)
        let forwarded = ForwardedEnvelope(
            shortID: item.shortID,
            message: arrival.envelope.encoded(),
            lane: item.lane,
            holders: [item.origin],
            isProbe: true
        )
        spread(forwarded, now: now, over: &sender, into: &effects)
    }
}
