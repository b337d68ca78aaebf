import Bytes

/// The members that may know the secrets of all nodes: the owner, the successor, and those that had one of these roles.
///
/// A former holder reads on until each block of slots was renewed, even after its removal. Source: PROTOCOL §16.
struct TreeHolders: Sendable {
    /// The former holders; nil if their names are not known: then it can be any member.
    private(set) var former: Set<PeerID>?
    /// The epoch in which a holder lost its role last; 0 if none did.
    private(set) var lostAt: UInt32
    /// Whether the successor may have the secrets.
    var successorHasTree: Bool
    /// The owner before the last operation, if this operation is a transfer; nil otherwise, and if it is not known.
    var previousOwner: PeerID?

    /// Former holders that are kept by name.
    static let limit = 64

    /// Makes the holders of a group in which no role was lost.
    ///
    /// - Parameters:
    ///   - former: nil for a new member, who does not know the past of the group.
    ///   - lostAt: the last epoch in which a member may have lost a role.
    init(former: Set<PeerID>?, lostAt: UInt32 = 0) {
        self.init(former: former, lostAt: lostAt, successorHasTree: former == nil, previousOwner: nil)
    }

    /// Restores stored holders.
    init(former: Set<PeerID>?, lostAt: UInt32, successorHasTree: Bool, previousOwner: PeerID?) {
        self.former = former
        self.lostAt = lostAt
        self.successorHasTree = successorHasTree
        self.previousOwner = previousOwner
    }

    /// Whether the peer may have had a role in which it got the secrets.
    func isFormer(_ peer: PeerID) -> Bool { former?.contains(peer) ?? true }

    /// Notes that each block was renewed.
    mutating func forgetFormer() { former = [] }

    /// Notes the roles that members lose or get by an operation.
    ///
    /// - Parameter isOwn: whether this node made the operation as the owner.
    mutating func note(_ operation: GroupOperation, from state: LogState, to next: LogState, isOwn: Bool) {
        let owner = state.owner.flatMap { state.table[$0]?.member.identity.id }
        previousOwner = operation.isTransfer ? owner : nil
        if operation.isTransfer, let owner { lose(owner, in: operation.epoch) }
        let before = state.policy.successor.flatMap { state.table[$0.slot]?.member.identity.id }
        let after = next.policy.successor.flatMap { next.table[$0.slot]?.member.identity.id }
        let isOwner = next.owner.flatMap { next.table[$0]?.member.identity.id } == before
        if let before, before != after, !isOwner, successorHasTree { lose(before, in: operation.epoch) }
        // Of another owner's successor nobody knows whether it got the secrets.
        if before != after { successorHasTree = after != nil && !isOwn }
        for slot in operation.edits.compactMap(\.emptied) {
            if let peer = state.table[slot]?.member.identity.id { former?.remove(peer) }
        }
    }

    private mutating func lose(_ peer: PeerID, in epoch: UInt32) {
        lostAt = epoch
        former?.insert(peer)
        if former?.count ?? 0 > Self.limit { former = nil }
    }
}

extension TreeHolders {
    /// Encodes the holders for storage.
    ///
    /// Shape: former flag (1), count (2) and IDs in rising order if 1 ‖ epoch of the last loss (4) ‖ successor flag (1) ‖
    /// previous owner flag (1), ID (32) if 1.
    var encoded: [UInt8] {
        var bytes = former.map { [1] + UInt16($0.count).bigEndianBytes + $0.sorted().flatMap(\.bytes) } ?? [0]
        bytes += lostAt.bigEndianBytes + [successorHasTree ? 1 : 0]
        return bytes + (previousOwner.map { [1] + $0.bytes } ?? [0])
    }

    /// Reads the output of `encoded`.
    init?(reading reader: inout SecretReader) {
        guard let isKnown = reader.flag() else { return nil }
        var former: Set<PeerID>?
        if isKnown {
            guard let peers = Self.peers(&reader) else { return nil }
            former = Set(peers)
        }
        guard let lostAt = reader.integer(UInt32.self), let successorHasTree = reader.flag(),
            let hasOwner = reader.flag()
        else { return nil }
        let owner = hasOwner ? reader.bytes(32).flatMap { PeerID(bytes: $0) } : nil
        guard hasOwner == (owner != nil) else { return nil }
        self.init(former: former, lostAt: lostAt, successorHasTree: successorHasTree, previousOwner: owner)
    }

    private static func peers(_ reader: inout SecretReader) -> [PeerID]? {
        guard let count = reader.integer(UInt16.self), count <= limit else { return nil }
        var peers: [PeerID] = []
        for _ in 0..<count {
            guard let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), peers.last.map({ $0 < peer }) ?? true
            else { return nil }
            peers.append(peer)
        }
        return peers
    }
}
