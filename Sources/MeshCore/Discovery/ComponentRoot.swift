/// The connected component of the mesh that this node is in, identified by the component's lowest node id, which links
/// announce.
///
/// Two linked nodes agree on the root. A neighbour with another root may therefore be in a component without any path
/// of links to this one. Only the root raises its counter. A copy without a higher counter expires exactly `life` after
/// it was received, everywhere within the few milliseconds that the counter took to spread, and never becomes valid
/// again with that counter.
/// Node ids are random, so the lowest one is as good a choice as the lowest hash of one.
/// Source: PROTOCOL §4.
struct ComponentRoot: Sendable {
    /// The root, its counter, and its distance in hops.
    struct Status: Equatable, Sendable {
        var root: NodeID
        var sequence: UInt32
        var hops: UInt8
    }

    /// The highest known counter of a root, and the time at which it became known.
    private struct Copy: Sendable {
        let root: NodeID
        var sequence: UInt32
        var taken: MeshInstant
    }

    /// The root that the other end of a link announces.
    private struct Claim: Sendable {
        let link: LinkID
        var root: NodeID
        var hops: UInt8
    }

    /// The root that this node currently accepts.
    private(set) var status: Status
    /// The time since which the root has been the same.
    private(set) var stableSince: MeshInstant
    /// The time at which `tick` has something to do.
    private(set) var nextDeadline: MeshInstant = .distantFuture

    private var own: NodeID
    private var ownSequence: UInt32 = 1
    private var raise: MeshInstant
    private var copies: [Copy] = []
    private var claims: [Claim] = []
    private let interval: Duration
    private let life: Duration
    private let limit: Int

    /// Begins with this node as its own root.
    init(own: NodeID, configuration: DiscoveryConfiguration, now: MeshInstant) {
        self.own = own
        interval = configuration.rootInterval
        life = configuration.rootLife
        limit = configuration.rootLimit
        status = Status(root: own, sequence: ownSequence, hops: 0)
        stableSince = now
        raise = now.advanced(by: interval)
        decide(now: now)
    }

    /// Records the root that the other end of a link announces.
    mutating func receive(_ heard: Status, from link: LinkID, now: MeshInstant) {
        let claim = Claim(link: link, root: heard.root, hops: heard.hops)
        if let index = claims.firstIndex(where: { $0.link == link }) {
            claims[index] = claim
        } else {
            claims.append(claim)
        }
        remember(heard.root, heard.sequence, now: now)
        decide(now: now)
    }

    /// Removes the claim of a closed link.
    mutating func forget(_ link: LinkID, now: MeshInstant) {
        claims.removeAll { $0.link == link }
        decide(now: now)
    }

    /// Raises the own counter and expires copies that are due.
    mutating func tick(now: MeshInstant) {
        guard now >= nextDeadline else { return }
        if status.root == own, now >= raise { raiseCounter(now: now) }
        decide(now: now)
    }

    /// Changes to another node id.
    ///
    /// If this node was the root, its old id expires like a root that was switched off: after one last raise, so that
    /// all copies, and the one kept here, expire at the same time. Until then all nodes still agree, and no node takes
    /// this one for an unknown peer from another component.
    mutating func rename(to node: NodeID, now: MeshInstant) {
        if status.root == own { remember(own, ownSequence &+ 1, now: now) }
        own = node
        ownSequence = 1
        raise = now.advanced(by: interval)
        decide(now: now)
    }

    /// Returns whether a root with this counter has expired.
    func isDead(_ root: NodeID, _ sequence: UInt32, now: MeshInstant) -> Bool {
        copies.contains { $0.root == root && sequence <= $0.sequence && death(of: $0) <= now }
    }

    private func death(of copy: Copy) -> MeshInstant { copy.taken.advanced(by: life) }

    private mutating func raiseCounter(now: MeshInstant) {
        ownSequence &+= 1
        raise = now.advanced(by: interval)
    }

    private mutating func remember(_ root: NodeID, _ sequence: UInt32, now: MeshInstant) {
        if let index = copies.firstIndex(where: { $0.root == root }) {
            guard sequence > copies[index].sequence else { return }
            copies[index].sequence = sequence
            copies[index].taken = now
            return
        }
        // The current root stays, no matter how many other roots a neighbour invents.
        let others = copies.indices.filter { copies[$0].root != status.root }
        if copies.count >= limit, let oldest = others.min(by: { copies[$0].taken < copies[$1].taken }) {
            copies.remove(at: oldest)
        }
        copies.append(Copy(root: root, sequence: sequence, taken: now))
    }

    /// Chooses the lowest root among this node and the unexpired roots that links announce.
    private mutating func decide(now: MeshInstant) {
        var best = Status(root: own, sequence: ownSequence, hops: 0)
        var firstDeath: MeshInstant = .distantFuture
        for claim in claims where claim.root != own {
            guard let copy = copies.first(where: { $0.root == claim.root }), death(of: copy) > now else { continue }
            firstDeath = min(firstDeath, death(of: copy))
            let hops = claim.hops == .max ? .max : claim.hops + 1
            if claim.root < best.root || (claim.root == best.root && hops < best.hops) {
                best = Status(root: claim.root, sequence: copy.sequence, hops: hops)
            }
        }
        if best.root != status.root {
            stableSince = now
            if best.root == own {
                raiseCounter(now: now)
                best.sequence = ownSequence
            }
        }
        status = best
        nextDeadline = best.root == own ? min(raise, firstDeath) : firstDeath
    }
}
