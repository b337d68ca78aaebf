import Bytes

/// One step in the life of a group, signed by its owner.
///
/// Invariant: the fields were checked for their form; whether the owner signed it, and whether it fits, is for
/// `MembershipLog` to say. Shape: version 1 (1) ‖ kind (1) ‖ group (16) ‖ epoch (4) ‖ hash of the operation before (32) ‖
/// what the kind needs ‖ signature (64). Source: PROTOCOL §16.
public struct GroupOperation: Hashable, Sendable {
    /// What the owner does.
    public enum Action: Hashable, Sendable {
        /// Takes somebody in.
        case add(GroupMember)
        /// Puts somebody out; the header key after it is fresh.
        case remove(PeerID)
        /// Puts somebody out who has said that it leaves; in all else like removing.
        case letGo(PeerID)
        /// Gives the group another title.
        case rename(GroupTitle)
        /// Makes another member the owner, who signs with this key from the next operation on.
        case handover(PeerID, signingKey: [UInt8])
        /// Decides anew.
        case policy(GroupPolicy)
        /// Begins an epoch with a fresh header key, and changes nothing else.
        case renew
    }

    /// The whole operation.
    public let bytes: [UInt8]
    /// Which group it is about.
    public let groupID: GroupID
    /// Which operation it is, counted from 1, and the epoch that it begins.
    public let epoch: UInt32
    /// What the owner does.
    public let action: Action
    /// The hash that stands for this operation and all before it.
    ///
    /// The signature is no part of it: signed twice, an operation is still the same. Shape: 32 bytes.
    public let hash: [UInt8]
    let previousHash: [UInt8]
    /// The hash of the header key that the operation brings; nil where the key follows from the one before.
    let headerKeyHash: [UInt8]?

    /// Units: bytes of the longest operation, one that renames.
    public static let maximumByteCount = 54 + 1 + GroupLimits.maximumTitleByteCount + signatureByteCount
    static let firstPreviousHash = [UInt8](repeating: 0, count: 32)
    private static let signatureByteCount = Ed25519.signatureByteCount
    private static let version: UInt8 = 1
    private static let label = Label.groupOperation

    /// Reads an operation from anybody, and checks its form.
    ///
    /// - Throws: `unknownVersion`, `malformed`.
    public init(decoding bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let version = reader.integer(UInt8.self) else { throw Self.malformed }
        guard version == Self.version else {
            throw CryptoError(.unknownVersion, "The operation's version is not known here.")
        }
        guard let kind = reader.integer(UInt8.self), let group = reader.bytes(16).flatMap({ GroupID(bytes: $0) }),
            let epoch = reader.integer(UInt32.self), epoch > 0, let previousHash = reader.bytes(32),
            let action = Self.action(kind, &reader)
        else { throw Self.malformed }
        let headerKeyHash = action.bringsHeaderKey ? reader.bytes(32) : nil
        guard !action.bringsHeaderKey || headerKeyHash != nil, reader.bytes(64) != nil, reader.isAtEnd else {
            throw Self.malformed
        }
        self.init(bytes, group, epoch, previousHash, action, headerKeyHash)
    }

    /// Makes and signs an operation.
    init(
        _ action: Action,
        of group: GroupID,
        epoch: UInt32,
        after previousHash: [UInt8],
        headerKeyHash: [UInt8]?,
        by owner: GroupOwnerKey
    ) {
        var fields = [Self.version, action.kind] + group.bytes + epoch.bigEndianBytes + previousHash
        fields += action.encoded + (headerKeyHash ?? [])
        let bytes = fields + owner.signing.sign(Self.label, fields)
        self.init(bytes, group, epoch, previousHash, action, headerKeyHash)
    }

    private init(
        _ bytes: [UInt8],
        _ group: GroupID,
        _ epoch: UInt32,
        _ previousHash: [UInt8],
        _ action: Action,
        _ headerKeyHash: [UInt8]?
    ) {
        self.bytes = bytes
        groupID = group
        self.epoch = epoch
        self.previousHash = previousHash
        self.action = action
        self.headerKeyHash = headerKeyHash
        hash = SHA256.hash(label: Label.groupHistory, Array(bytes.dropLast(Self.signatureByteCount)))
    }

    /// Whether the holder of this key signed it.
    func isSigned(by key: [UInt8]) -> Bool {
        let fields = Array(bytes.dropLast(Self.signatureByteCount))
        return Ed25519.verify(Array(bytes.suffix(Self.signatureByteCount)), Self.label, fields, key: key)
    }

    private static func action(_ kind: UInt8, _ reader: inout ByteReader) -> Action? {
        switch kind {
        case 1: return GroupMember(decoding: &reader).map { .add($0) }
        case 2: return reader.bytes(32).flatMap { PeerID(bytes: $0) }.map { .remove($0) }
        case 3: return reader.shortField().flatMap { GroupTitle(decoding: $0) }.map { .rename($0) }
        case 4:
            guard let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), let key = reader.bytes(32) else {
                return nil
            }
            return .handover(peer, signingKey: key)
        case 5: return GroupPolicy(decoding: &reader).map { .policy($0) }
        case 6: return .renew
        case 7: return reader.bytes(32).flatMap { PeerID(bytes: $0) }.map { .letGo($0) }
        default: return nil
        }
    }

    private static let malformed = CryptoError(.malformed, "The bytes are no operation of a group.")
}

extension GroupOperation.Action {
    /// Who is out after it; nil if everybody stays.
    public var expelled: PeerID? {
        switch self {
        case .remove(let peer), .letGo(let peer): peer
        default: nil
        }
    }

    /// Whether the header key after it is fresh, and every sender needs a new key.
    var bringsHeaderKey: Bool {
        switch self {
        case .remove, .letGo, .renew: true
        default: false
        }
    }

    fileprivate var kind: UInt8 {
        switch self {
        case .add: 1
        case .remove: 2
        case .rename: 3
        case .handover: 4
        case .policy: 5
        case .renew: 6
        case .letGo: 7
        }
    }

    fileprivate var encoded: [UInt8] {
        switch self {
        case .add(let member): member.encoded
        case .remove(let peer), .letGo(let peer): peer.bytes
        case .rename(let title): [UInt8(title.bytes.count)] + title.bytes
        case .handover(let peer, let key): peer.bytes + key
        case .policy(let policy): policy.encoded
        case .renew: []
        }
    }
}
