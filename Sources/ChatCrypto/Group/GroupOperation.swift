import Bytes

/// One change of a group, signed by its owner.
///
/// Invariant: the form of the fields was checked. `MembershipLog` checks whether the owner signed the operation and
/// whether it fits. Shape: version 1 (1) ‖ kind (1) ‖ group (16) ‖ epoch (4) ‖ hash of the operation before (32) ‖ the
/// fields of the kind ‖ hash of a fresh header key (32) for the kinds that bring one ‖ signature (64). Source:
/// PROTOCOL §16.
public struct GroupOperation: Hashable, Sendable {
    /// The change that the owner makes.
    public enum Action: Hashable, Sendable {
        /// Adds a member.
        case add(GroupMember)
        /// Removes a member; the header key after it is fresh.
        case remove(PeerID)
        /// Removes a member that has announced its departure.
        ///
        /// Otherwise it works like ``remove(_:)``.
        case removeLeaver(PeerID)
        /// Changes the title of the group.
        case rename(GroupTitle)
        /// Makes another member the owner; the new owner signs with this key from the next operation on.
        case handover(PeerID, signingKey: [UInt8])
        /// Changes the policy of the group.
        case policy(GroupPolicy)
        /// Begins an epoch with a fresh header key and changes nothing else.
        case renew
    }

    /// The encoded operation with its signature.
    public let bytes: [UInt8]
    /// The ID of the group that the operation changes.
    public let groupID: GroupID
    /// The number of the operation, counted from 1, which is also the epoch that it begins.
    public let epoch: UInt32
    /// The change that the owner makes.
    public let action: Action
    /// The hash that stands for this operation and all before it.
    ///
    /// The hash does not cover the signature: an operation that is signed twice stays the same operation. Shape: 32
    /// bytes.
    public let hash: [UInt8]
    let previousHash: [UInt8]
    /// The hash of the header key that the operation brings; nil if the key is derived from the one before.
    let headerKeyHash: [UInt8]?

    /// Units: bytes of the longest operation, which is a rename.
    public static let maximumByteCount = 54 + 1 + GroupLimits.maximumTitleByteCount + signatureByteCount
    static let firstPreviousHash = [UInt8](repeating: 0, count: 32)
    private static let signatureByteCount = Ed25519.signatureByteCount
    private static let version: UInt8 = 1
    private static let label = Label.groupOperation

    /// Reads an operation from any peer and checks its form.
    ///
    /// - Throws: `unknownVersion`, `malformed`.
    public init(decoding bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let version = reader.integer(UInt8.self) else { throw Self.malformed }
        guard version == Self.version else {
            throw CryptoError(.unknownVersion, "The version of the operation is unknown.")
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

    /// Whether the holder of the given key signed the operation.
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
        case 7: return reader.bytes(32).flatMap { PeerID(bytes: $0) }.map { .removeLeaver($0) }
        default: return nil
        }
    }

    private static let malformed = CryptoError(.malformed, "The bytes are not an operation of a group.")
}

extension GroupOperation.Action {
    /// The member that this action removes; nil if it removes none.
    public var expelled: PeerID? {
        switch self {
        case .remove(let peer), .removeLeaver(let peer): peer
        default: nil
        }
    }

    /// Whether the action brings a fresh header key; every sender then needs a new sender key.
    var bringsHeaderKey: Bool {
        switch self {
        case .remove, .removeLeaver, .renew: true
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
        case .removeLeaver: 7
        }
    }

    fileprivate var encoded: [UInt8] {
        switch self {
        case .add(let member): member.encoded
        case .remove(let peer), .removeLeaver(let peer): peer.bytes
        case .rename(let title): [UInt8(title.bytes.count)] + title.bytes
        case .handover(let peer, let key): peer.bytes + key
        case .policy(let policy): policy.encoded
        case .renew: []
        }
    }
}
