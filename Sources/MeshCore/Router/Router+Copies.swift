/// The copies of envelopes that the node knows.
extension Router {
    /// Takes what a copy of a known envelope tells: its life, and that the neighbour has it.
    ///
    /// One that the shelf covers only now is stored. One that came before by a comparison alone, and now by the tree, is
    /// passed on: else whoever gives it to a node early could keep the node from that.
    mutating func receiveCopy(
        _ arrival: Arrival,
        after named: Wanted.Entry?,
        at index: Int,
        now: MeshInstant,
        over sender: inout some LinkSending,
        into effects: inout [RouterEffect]
    ) {
        let shortID = arrival.id.shortID
        let isByTree = arrival.isFresh || !arrival.rule.lane(arrived: .interactive).isFresh
        if isByTree, !arrival.isAsked, store.takeUnspread(shortID) {
            return receiveFirst(arrival, after: named, at: index, now: now, over: &sender, into: &effects)
        }
        let isRefreshed = arrival.isFresh && refresh(shortID, at: index, now: now, over: &sender)
        if store[shortID]?.isOld == true || !arrival.rule.hasFullLifeWhenFresh {
            store.raise(shortID, life: arrival.envelope.life, now: now)
        }
        if arrival.isWanted, store.wants(shortID) {
            _ = take(arrival, from: links[index].node, now: now, into: &effects)
        }
        noteHolder(shortID, at: index, into: &effects)
        let isPushed = links[index].segment.map { pushes.covers(shortID, on: $0) } == true
        if arrival.envelope.kind != .probe, !arrival.isAsked, !isRefreshed, !isPushed {
            prune(at: index, now: now, over: &sender)
        }
        effects.append(.dropped(.duplicate))
    }
}
