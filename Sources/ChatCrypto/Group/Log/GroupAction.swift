/// A change that the owner of a group wants; the group chooses slots and blocks for it.
public enum GroupAction: Hashable, Sendable {
    /// Adds a member.
    case add(GroupMember)
    /// Removes a member.
    case remove(PeerID)
    /// Removes a member that has announced its departure.
    case removeLeaver(PeerID)
    /// Changes the title of the group.
    case rename(GroupTitle)
    /// Makes another member the owner; the new owner signs with this key from the next operation on.
    case handover(PeerID, signingKey: [UInt8])
    /// Changes the policy of the group.
    case policy(GroupPolicy)
    /// Gives a member a fresh secret.
    case renew(PeerID)
    /// Gives the members of the block that was renewed longest ago fresh secrets; a second one in an operation takes the
    /// next block.
    case renewBlock
}

/// The fresh secret of a member's leaf, for the session with this member alone.
public struct LeafSecret: Sendable {
    /// The epoch that begins with the secret.
    public let epoch: UInt32
    let secret: SecretBytes

    /// Units: bytes of the encoded secret.
    public static let byteCount = 4 + NodeSecret.byteCount

    init(epoch: UInt32, secret: SecretBytes) {
        self.epoch = epoch
        self.secret = secret
    }

    /// Reads the secret that the owner sent.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(bytes)
        guard let epoch = reader.integer(UInt32.self), GroupOperation.epochs ~= epoch,
            let secret = reader.secret(NodeSecret.byteCount),
            reader.isAtEnd
        else { throw CryptoError(.malformed, "The bytes are not a member's secret.") }
        self.init(epoch: epoch, secret: secret)
    }

    /// Encodes the secret; send it on the session with its member and nowhere else.
    ///
    /// Shape: epoch (4) ‖ secret (32).
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: epoch)
        writer.append(secret)
        return writer.finish()
    }
}

/// The result of an owner's operation: all that has to reach the members.
public struct GroupUpdate: Sendable {
    /// The signed operation, for all members.
    public let operation: GroupOperation
    /// The fresh secrets of members in renewed blocks, each for its member alone.
    public let leaves: [(member: GroupMember, secret: LeafSecret)]
    /// The secrets of all nodes, for the new owner alone; nil if the operation makes no other member the owner.
    public let tree: SecretBytes?
}
