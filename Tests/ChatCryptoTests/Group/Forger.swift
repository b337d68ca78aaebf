@testable import ChatCrypto

/// A dishonest member that has the keys of a member and follows no rule.
enum Forger {
    /// Makes a packet that claims to be from `victim`, as a member that received the victim's sender key can.
    static func packet(
        _ text: String,
        of circle: Circle,
        by victim: Int,
        key: SenderKey,
        iteration: UInt32,
        messageKey: SecretBytes,
        signing: Ed25519.SigningKey? = nil,
        epoch: GroupEpoch? = nil
    ) -> InboundPacket {
        let session = circle.sessions[victim]
        let overhead = CarrierKind.sealed.overheadByteCount + 64
        guard let padded = Padding.pad(MessageItems.encode([Array(text.utf8)]), overheadByteCount: overhead),
            let epoch = epoch ?? session.epochs.last
        else { preconditionFailure("a forged text is short, its group alive") }
        let message = GroupSeal.seal(
            padded: padded,
            header: GroupHeader(keyID: key.id, epoch: epoch.number, iteration: iteration),
            epoch: epoch,
            messageKey: messageKey,
            sender: session.own.id,
            signing: signing ?? key.signing
        )
        return InboundPacket(kind: .sealed, body: randomBytes(16) + message)
    }
}
