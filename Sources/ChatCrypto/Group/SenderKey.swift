/// The key under which this node sends its own messages to a group.
///
/// The key is never stored: a data directory that is restored from an earlier copy would use it again. Source:
/// PROTOCOL §16.
struct SenderKey: Sendable {
    let id: SenderKeyID
    let group: GroupID
    /// The epoch in which the key was made.
    let epoch: UInt32
    let signing: Ed25519.SigningKey
    /// The time at which the key was made.
    ///
    /// Units: seconds since 1970 by the local clock.
    let madeAt: UInt32
    private(set) var chain: SenderChain

    /// Makes a fresh key.
    init(
        of member: PeerID,
        group: GroupID,
        epoch: UInt32,
        signing: Ed25519.SigningKey = Ed25519.SigningKey(),
        chainKey: SecretBytes = .random(count: 32),
        at now: UInt32
    ) {
        self.signing = signing
        id = SenderKeyID(group: group, epoch: epoch, member: member, signingKey: signing.publicKey)
        self.group = group
        self.epoch = epoch
        madeAt = now
        chain = SenderChain(chainKey: chainKey, next: 0)
    }

    /// Whether the next message needs another key: after a fresh header key, 100 messages or a day.
    func isSpent(freshSince: UInt32, at now: UInt32) -> Bool {
        epoch < freshSince || chain.next >= GroupLimits.messagesPerSenderKey
            || now.subtractingClamped(madeAt) >= GroupLimits.senderKeyLife
    }

    /// Answers the iteration and the key of the next message, and moves past it.
    mutating func advance() -> (iteration: UInt32, messageKey: SecretBytes) {
        let iteration = chain.next
        return (iteration, chain.advance())
    }

    /// The message that lets the other members open all later messages.
    var message: SenderKeyMessage {
        SenderKeyMessage(groupID: group, epoch: epoch, id: id, signingKey: signing.publicKey, chain: chain)
    }
}
