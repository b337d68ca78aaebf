import Bytes

/// The message with which a member gives its sender key to each other member over their session.
///
/// It opens the sender's messages from its iteration on. Shape: version 1 (1) ‖ group (16) ‖ epoch (4) ‖ key ID (16) ‖
/// signing key (32) ‖ iteration (4) ‖ chain key (32), 105 bytes. Source: PROTOCOL §16.
public struct SenderKeyMessage: Sendable {
    /// The ID of the group that the key is for.
    public let groupID: GroupID
    /// The epoch in which the key was made.
    public let epoch: UInt32
    /// The key's name, which binds it to its maker.
    public let id: SenderKeyID
    /// The key that signs the messages; it is used for nothing else.
    let signingKey: [UInt8]
    /// The iteration of the first message that can be opened.
    let iteration: UInt32
    let chainKey: SecretBytes

    /// Units: bytes.
    public static let byteCount = 105
    private static let version: UInt8 = 1

    init(groupID: GroupID, epoch: UInt32, id: SenderKeyID, signingKey: [UInt8], chain: SenderChain) {
        self.groupID = groupID
        self.epoch = epoch
        self.id = id
        self.signingKey = signingKey
        iteration = chain.next
        chainKey = chain.chainKey
    }

    /// Reads a sender key that a member sent.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(bytes)
        guard reader.integer(UInt8.self) == Self.version, let group = reader.bytes(16).flatMap({ GroupID(bytes: $0) }),
            let epoch = reader.integer(UInt32.self), epoch > 0,
            let id = reader.bytes(SenderKeyID.byteCount).flatMap({ SenderKeyID(bytes: $0) }),
            let signingKey = reader.bytes(32), let iteration = reader.integer(UInt32.self),
            iteration <= GroupLimits.maximumIteration, let chainKey = reader.secret(32), reader.isAtEnd
        else { throw CryptoError(.malformed, "The bytes are not a sender key.") }
        groupID = group
        self.epoch = epoch
        self.id = id
        self.signingKey = signingKey
        self.iteration = iteration
        self.chainKey = chainKey
    }

    /// Encodes the message; send it on the sessions with the members and nowhere else.
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(groupID.bytes + epoch.bigEndianBytes + id.bytes + signingKey + iteration.bigEndianBytes)
        writer.append(chainKey)
        return writer.finish()
    }

    /// Whether the given member made the key; the ID depends on its maker, so it matches no other member.
    func isFrom(_ member: PeerID) -> Bool {
        id == SenderKeyID(group: groupID, epoch: epoch, member: member, signingKey: signingKey)
    }
}
