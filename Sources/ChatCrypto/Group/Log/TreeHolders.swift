import Bytes

/// The members that may know the secrets of all nodes: the owner and those before it.
///
/// A former owner reads on until each block of slots was renewed, even after its removal. Source: PROTOCOL §16.
struct TreeHolders: Sendable {
    /// The former owners; nil if their names are not known: then it can be any member.
    private(set) var former: Set<PeerID>?
    /// The epoch in which an owner lost its role last; 0 if none did.
    private(set) var lostAt: UInt32
    /// The owner before the last operation, if this operation is a transfer; nil otherwise, and if it is not known.
    var previousOwner: PeerID?

    /// Former owners that are kept by name.
    static let limit = 64

    /// Makes the holders of a group.
    ///
    /// - Parameters:
    ///   - former: nil for a new member, who does not know the past of the group.
    ///   - lostAt: the last epoch in which an owner may have lost its role.
    init(former: Set<PeerID>?, lostAt: UInt32 = 0, previousOwner: PeerID? = nil) {
        self.former = former
        self.lostAt = lostAt
        self.previousOwner = previousOwner
    }

    /// Whether the peer may have been the owner.
    func isFormer(_ peer: PeerID) -> Bool { former?.contains(peer) ?? true }

    /// Notes that each block was renewed.
    mutating func forgetFormer() { former = [] }

    /// Notes the owner that loses its role by an operation, and the members that are gone with it.
    mutating func note(_ operation: GroupOperation, from state: LogState) {
        let owner = state.owner.flatMap { state.table[$0]?.member.identity.id }
        previousOwner = operation.isTransfer ? owner : nil
        if operation.isTransfer, let owner {
            lostAt = operation.epoch
            former?.insert(owner)
            if former?.count ?? 0 > Self.limit { former = nil }
        }
        for slot in operation.edits.compactMap(\.emptied) {
            if let peer = state.table[slot]?.member.identity.id { former?.remove(peer) }
        }
    }
}

extension TreeHolders {
    /// Encodes the holders for storage.
    ///
    /// Shape: former flag (1), count (2) and IDs in rising order if 1 ‖ epoch of the last transfer (4) ‖
    /// previous owner flag (1), ID (32) if 1.
    var encoded: [UInt8] {
        var bytes = former.map { [1] + UInt16($0.count).bigEndianBytes + $0.sorted().flatMap(\.bytes) } ?? [0]
        bytes += lostAt.bigEndianBytes
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
        guard let lostAt = reader.integer(UInt32.self), let hasOwner = reader.flag() else { return nil }
        let owner = hasOwner ? reader.bytes(32).flatMap { PeerID(bytes: $0) } : nil
        guard hasOwner == (owner != nil) else { return nil }
        self.init(former: former, lostAt: lostAt, previousOwner: owner)
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
