/// The slow change of links, which joins parts of the mesh and makes it hard to surround a node.
extension Discovery {
    /// Dials the visible node that has been without a link to this one for longest, or plans to.
    ///
    /// Nodes that are full are dialled too, since they make room. The new link takes the place of another.
    mutating func rotate(now: MeshInstant, into effects: inout [DiscoveryEffect]) {
        // The segment may have grown since the rotation was planned.
        planRotation()
        guard now >= nextRotation else { return }
        planRotation(now: now)
        guard !linksToAll(now: now) else { return }
        let candidates = unlinkedNodes().compactMap { node in
            dialableEndpoint(of: node, now: now).map { (node, $0, dialHistory.lastUse(of: $0)) }
        }
        let first = candidates.map(\.2).min()
        guard let (node, endpoint, _) = candidates.filter({ $0.2 == first }).randomElement(using: &random) else {
            return
        }
        _ = dial(node, at: endpoint, purpose: .rotation, now: now, into: &effects)
    }

    /// Plans the next rotation after one at this time.
    mutating func planRotation(now: MeshInstant) {
        lastRotation = now
        let jitter = configuration.rotationJitter
        rotationFactor = Double.random(in: (1 - jitter)...(1 + jitter), using: &random)
        planRotation()
    }

    /// Plans the next rotation by the present size of the segments, so that each sees a constant number of rotations.
    private mutating func planRotation() {
        let share = Duration.seconds(visibleCount) / configuration.rotationRate
        let interval = min(max(share, configuration.shortestRotation), configuration.longestRotation)
        nextRotation = lastRotation.advanced(by: interval * rotationFactor)
    }

    /// Returns the link whose place a new one takes, the first in this order that may go.
    ///
    /// A link may not go if its segments would be left with too few links.
    func replaceableLink(except new: LinkID, among order: [LinkID]) -> LinkID? {
        overlay.replaceable(except: new, among: order, oldestKept: configuration.oldestKept) { link in
            interfaces.allSatisfy { interface in
                interface.neighbours[self.node(of: link.info)] == nil
                    || engagedCount(onSegment: interface.id.index) > configuration.linksPerSegment
            }
        }
    }
}
