import Bytes

/// The owner's message to a new member, or to one that has lost its secrets: the secrets of its path, and the state of
/// the group or the digest of it.
///
/// Shape: version 1 (1) ‖ remaining seconds (4) ‖ epoch (4) ‖ slot (2) ‖ depth (1) ‖ secrets, the leaf first (32 each) ‖
/// founding key (32) ‖ 0 (1), length (2) and checkpoint, or 1 (1), SHA-256 (32) and length (4) of it ‖ bundle
/// count (1) ‖ per bundle length (2) and bytes. Source: PROTOCOL §16.
public struct GroupWelcome: Sendable {
    /// The time that the group will last by its owner's clock; 0 for a group without end.
    ///
    /// Units: seconds.
    public let remainingSeconds: UInt32
    /// The epoch that the secrets belong to.
    public let epoch: UInt32
    /// The slot of the new member.
    public let slot: UInt16
    /// The secrets of the path, the leaf first.
    let path: [SecretBytes]
    /// The key whose hash is the group's ID.
    ///
    /// Shape: 32 bytes.
    public let foundingKey: [UInt8]
    /// The state of the group; nil if it follows in parts.
    public let checkpoint: GroupCheckpoint?
    /// The digest of the state, which follows in parts; nil if the state is in the welcome.
    public let digest: CheckpointDigest?
    /// Prekey bundles of members, the owner's first; those of other members may be missing.
    public let bundles: [PrekeyBundle]

    /// The group's name.
    public var groupID: GroupID { GroupID(foundingKey: foundingKey) }

    private static let version: UInt8 = 1
    private static let fixedByteCount = 1 + 4 + 4 + 2 + 1 + 32 + 1 + 1
    private static let digestByteCount = SHA256.byteCount + 4

    /// Makes a welcome without the bundles that do not fit; nil if not even one without state fits.
    init?(
        _ checkpoint: GroupCheckpoint,
        slot: UInt16,
        path: [SecretBytes],
        remainingSeconds: UInt32,
        bundles: [PrekeyBundle],
        maximumByteCount: Int
    ) {
        let state = checkpoint.encoded()
        let own = bundles.first.map { 2 + $0.bytes.count } ?? 0
        var room = maximumByteCount - Self.fixedByteCount - NodeSecret.byteCount * path.count
        let isWhole = 2 + state.count + own <= room && state.count <= UInt16.max
        guard isWhole || Self.digestByteCount <= room else { return nil }
        room -= isWhole ? 2 + state.count : Self.digestByteCount
        var kept: [PrekeyBundle] = []
        for bundle in bundles.prefix(Int(UInt8.max)) where room >= 2 + bundle.bytes.count {
            room -= 2 + bundle.bytes.count
            kept.append(bundle)
        }
        self.remainingSeconds = remainingSeconds
        epoch = checkpoint.epoch
        self.slot = slot
        self.path = path
        foundingKey = checkpoint.foundingKey
        self.checkpoint = isWhole ? checkpoint : nil
        digest = isWhole ? nil : CheckpointDigest(of: state)
        self.bundles = kept
    }

    /// Reads a welcome and verifies the state in it.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(bytes)
        guard reader.integer(UInt8.self) == Self.version, let remaining = reader.integer(UInt32.self),
            let epoch = reader.integer(UInt32.self), GroupOperation.epochs ~= epoch,
            let slot = reader.integer(UInt16.self),
            let depth = reader.integer(UInt8.self), depth <= GroupLimits.maximumDepth, Int(slot) < 1 << Int(depth),
            let path = Self.path(&reader, depth: Int(depth)), let foundingKey = reader.bytes(32),
            let isInParts = reader.flag()
        else { throw Self.malformed }
        remainingSeconds = remaining
        self.epoch = epoch
        self.slot = slot
        self.path = path
        self.foundingKey = foundingKey
        digest = isInParts ? Self.digest(&reader) : nil
        if isInParts {
            checkpoint = nil
        } else {
            guard let count = reader.integer(UInt16.self), let state = reader.bytes(Int(count)) else {
                throw Self.malformed
            }
            checkpoint = try GroupCheckpoint(decoding: state, foundingKey: foundingKey)
        }
        guard isInParts == (digest != nil), checkpoint.map({ $0.epoch == epoch && $0.depth == depth }) ?? true,
            let bundles = Self.bundles(&reader), reader.isAtEnd
        else { throw Self.malformed }
        self.bundles = bundles
    }

    /// Encodes the welcome; send it to the new member and to no other peer.
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(integer: remainingSeconds)
        writer.append(integer: epoch)
        writer.append(integer: slot)
        writer.append(integer: UInt8(path.count - 1))
        for secret in path { writer.append(secret) }
        writer.append(foundingKey)
        writer.append(flag: digest != nil)
        if let digest {
            writer.append(digest.hash)
            writer.append(integer: digest.byteCount)
        } else if let state = checkpoint?.encoded() {
            writer.append(integer: UInt16(state.count))
            writer.append(state)
        }
        writer.append(integer: UInt8(bundles.count))
        for bundle in bundles {
            writer.append(integer: UInt16(bundle.bytes.count))
            writer.append(bundle.bytes)
        }
        return writer.finish()
    }

    private static func path(_ reader: inout SecretReader, depth: Int) -> [SecretBytes]? {
        var secrets: [SecretBytes] = []
        for _ in 0...depth {
            guard let secret = reader.secret(NodeSecret.byteCount) else { return nil }
            secrets.append(secret)
        }
        return secrets
    }

    private static func digest(_ reader: inout SecretReader) -> CheckpointDigest? {
        guard let hash = reader.bytes(SHA256.byteCount), let count = reader.integer(UInt32.self) else { return nil }
        return CheckpointDigest(hash: hash, byteCount: count)
    }

    private static func bundles(_ reader: inout SecretReader) -> [PrekeyBundle]? {
        guard let count = reader.integer(UInt8.self) else { return nil }
        var bundles: [PrekeyBundle] = []
        for _ in 0..<count {
            guard let length = reader.integer(UInt16.self), let bytes = reader.bytes(Int(length)),
                let bundle = try? PrekeyBundle(verifying: bytes)
            else { return nil }
            bundles.append(bundle)
        }
        return bundles
    }

    private static let malformed = CryptoError(.malformed, "The bytes are not a welcome to a group.")
}

extension GroupSession {
    /// The state of the group, which follows a welcome without it; nil before the first operation.
    public var checkpoint: GroupCheckpoint? { GroupCheckpoint(of: log) }

    /// Makes the welcome for a member that was just added, or that has lost its secrets.
    ///
    /// - Parameters:
    ///   - member: the member; it needs no operation to get its welcome again.
    ///   - remainingSeconds: the time that the group will last by the local clock; 0 for a group without end.
    ///   - bundles: prekey bundles of members, that of this node first.
    ///   - maximumByteCount: the space that the transport has for the welcome.
    /// - Returns: nil if the peer is no member, or this node does not have its secrets.
    public func welcome(
        for member: PeerID,
        remainingSeconds: UInt32,
        bundles: [PrekeyBundle],
        maximumByteCount: Int
    ) -> GroupWelcome? {
        guard isMember, log.fork == nil, let slot = log.table.slot(of: member), let checkpoint, let tree,
            let path = tree.path(of: slot)
        else { return nil }
        return GroupWelcome(
            checkpoint,
            slot: slot,
            path: path,
            remainingSeconds: remainingSeconds,
            bundles: bundles,
            maximumByteCount: maximumByteCount
        )
    }
}
