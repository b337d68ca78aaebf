/// The key under which one's own messages to a group go out.
///
/// Source: PROTOCOL §16.
struct SenderKey: Sendable {
    let id: SenderKeyID
    let group: GroupID
    /// The epoch in which it was made.
    let epoch: UInt32
    let signing: Ed25519.SigningKey
    /// Units: seconds since 1970 by one's own clock.
    let madeAt: UInt32
    private(set) var chain: SenderChain

    /// Makes a fresh key.
    init(of member: PeerID, group: GroupID, epoch: UInt32, at now: UInt32) {
        self.init(
            of: member,
            group: group,
            epoch: epoch,
            signing: Ed25519.SigningKey(),
            madeAt: now,
            chain: SenderChain(chainKey: .random(count: 32), next: 0)
        )
    }

    /// Takes up a stored key.
    init(
        of member: PeerID,
        group: GroupID,
        epoch: UInt32,
        signing: Ed25519.SigningKey,
        madeAt: UInt32,
        chain: SenderChain
    ) {
        id = SenderKeyID(group: group, epoch: epoch, member: member, signingKey: signing.publicKey)
        self.group = group
        self.epoch = epoch
        self.signing = signing
        self.madeAt = madeAt
        self.chain = chain
    }

    /// Whether the next message needs another key: after a fresh header key, 100 messages or a day.
    func isSpent(freshSince: UInt32, at now: UInt32) -> Bool {
        epoch < freshSince || chain.next >= GroupLimits.messagesPerSenderKey
            || now.subtractingClamped(madeAt) >= GroupLimits.senderKeyLife
    }

    /// The iteration and key of the next message.
    mutating func advance() -> (iteration: UInt32, messageKey: SecretBytes) {
        let iteration = chain.next
        return (iteration, chain.advance())
    }

    /// What the others need to open the messages that follow.
    var message: SenderKeyMessage {
        SenderKeyMessage(groupID: group, epoch: epoch, id: id, signingKey: signing.publicKey, chain: chain)
    }

    private static let version: UInt8 = 1

    /// Shape: version 1 (1) ‖ epoch (4) ‖ seed (32) ‖ made (4) ‖ iteration (4) ‖ chain key (32).
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(integer: epoch)
        writer.append(signing.seed)
        writer.append(integer: madeAt)
        writer.append(integer: chain.next)
        writer.append(chain.chainKey)
        return writer.finish()
    }

    /// Reads what `encoded()` gave.
    init(decoding record: SecretBytes, of member: PeerID, group: GroupID) throws(CryptoError) {
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version, let epoch = reader.integer(UInt32.self),
            let seed = reader.secret(32), let madeAt = reader.integer(UInt32.self),
            let next = reader.integer(UInt32.self), next <= GroupLimits.messagesPerSenderKey,
            let chainKey = reader.secret(32), reader.isAtEnd
        else { throw CryptoError(.malformed, "The record is no sender key of one's own.") }
        self.init(
            of: member,
            group: group,
            epoch: epoch,
            signing: Ed25519.SigningKey(seed: seed),
            madeAt: madeAt,
            chain: SenderChain(chainKey: chainKey, next: next)
        )
    }
}
