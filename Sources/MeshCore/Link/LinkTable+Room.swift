/// The room for links that other nodes dial.
///
/// A node that is full makes room for a peer that it did not have: else those who came first could keep all others out.
/// Source: PROTOCOL §3.2.
extension LinkTable {
    /// Records that an envelope came first by a link.
    mutating func noteFirstDelivery(on link: LinkID, now: MeshInstant) {
        guard let index = established.index(of: link) else { return }
        established[index].firstDeliveries.add(halfLife: configuration.firstDeliveryHalfLife, now: now)
    }

    /// Counts a message of a way or path that came by a link and was not dropped.
    mutating func noteUse(of link: LinkID, now: MeshInstant) {
        guard let index = established.index(of: link) else { return }
        established[index].usedAt = now
    }

    /// Returns the links over which the latest of these messages came: the ways over a link end with it.
    ///
    /// They are at most ``LinkConfiguration/usedLinkCount``.
    private func linksInUse(now: MeshInstant) -> Set<LinkID> {
        let used = established.compactMap { link in link.usedAt.map { (id: link.id, at: $0) } }
        let recent = used.filter { $0.at.advanced(by: configuration.useLife) > now }
        return Set(recent.sorted { ($1.at, $0.id) < ($0.at, $1.id) }.prefix(configuration.usedLinkCount).map(\.id))
    }

    /// Returns all links but those in use: first those that brought the fewest envelopes first, and of these the youngest.
    func unusedLinks(now: MeshInstant) -> [LinkID] { byUse(established.indices, now: now).map { established[$0].id } }

    /// Returns whether an address may have one more link.
    func hasAddressCapacity(for node: NodeID, at source: Endpoint) -> Bool {
        let linkCount = established.count { $0.node != node && $0.endpoint.address == source.address }
        let answerCount = answers.count {
            $0.isProven && $0.initiation.node != node && $0.endpoint.address == source.address
        }
        return linkCount + answerCount < addressLimit(of: source)
    }

    /// Returns whether there is a place for one more link that another node dials.
    ///
    /// Answers count only with a cookie, so that an attacker with invented names cannot use up the room of other nodes.
    func hasCapacity(for node: NodeID) -> Bool {
        let others = established.count { $0.node != node }
        let accepted = established.count { $0.node != node && !$0.dialledHere }
        let proven = answers.count { $0.isProven && $0.initiation.node != node }
        return accepted + proven < acceptLimit && others + proven < configuration.maximumLinkCount
    }

    func addressLimit(of source: Endpoint) -> Int {
        if source.interface.streamNumber != nil { return configuration.linksPerStream }
        return source.address.isLoopback ? configuration.linksPerLoopbackAddress : configuration.linksPerAddress
    }

    /// Returns whether the place of another link would be given to a node.
    func wouldMakeRoom(for node: NodeID, now: MeshInstant) -> Bool {
        nextRoom <= now && !formerPeers.contains(node, now: now) && !established.contains { $0.node == node }
            && expendableLink(now: now) != nil
    }

    /// Closes the least useful link for a node that has proved its key; returns false if there is none.
    mutating func makeRoom(for node: NodeID, now: MeshInstant, into effects: inout [LinkEffect]) -> Bool {
        guard wouldMakeRoom(for: node, now: now), let index = expendableLink(now: now) else { return false }
        nextRoom = now.advanced(by: configuration.roomInterval)
        established[index].close(reason: .closedHere, now: now, into: &effects)
        removeEnded(now: now, into: &effects)
        return true
    }

    /// Returns the position of the accepted link that the node misses least.
    ///
    /// The oldest and the most useful ones stay, and so does one that came a moment ago.
    private func expendableLink(now: MeshInstant) -> Int? {
        let accepted = established.indices.filter { !established[$0].dialledHere }
        let oldest = accepted.sorted { established[$0].since < established[$1].since }.prefix(
            configuration.keptLinkCount
        )
        let order = byUse(accepted, now: now)
        return order.dropLast(configuration.keptLinkCount).first { index in
            !oldest.contains(index)
                && established[index].since.advanced(by: configuration.youngestExpendable) <= now
        }
    }

    private func byUse(_ indices: some Sequence<Int>, now: MeshInstant) -> [Int] {
        let halfLife = configuration.firstDeliveryHalfLife
        let used = linksInUse(now: now)
        let unused = indices.filter { !used.contains(established[$0].id) }
        let counted = unused.map {
            (index: $0, count: established[$0].firstDeliveries.value(halfLife: halfLife, now: now))
        }
        return counted.sorted { ($0.count, $1.index) < ($1.count, $0.index) }.map(\.index)
    }
}
