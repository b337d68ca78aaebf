/// The inner content of a sealed group message: the signature of the sender's device, then the padded content.
///
/// Shape: signature (64) ‖ padded content. Source: PROTOCOL §16.
enum GroupSeal {
    private static let label = Label.groupMessage

    /// Seals padded content under a message key.
    static func seal(
        padded: [UInt8],
        header: GroupHeader,
        epoch: GroupEpoch,
        messageKey: SecretBytes,
        sender: PeerID,
        signing: Ed25519.SigningKey
    ) -> [UInt8] {
        let nonce = randomBytes(AEAD.nonceByteCount)
        let sealedHeader = MessageSeal.sealHeader(header.encoded, key: epoch.headerKey, nonce: nonce)
        let keys = MessageKeys(messageKey, headerNonce: nonce)
        let signed = signed(epoch, sender, nonce + sealedHeader + keys.commitment, padded)
        let sealedBody = AEAD.seal(
            signing.sign(label, signed) + padded,
            key: keys.bodyKey,
            nonce: keys.bodyNonce,
            associatedData: epoch.associatedData + nonce + sealedHeader
        )
        return nonce + sealedHeader + keys.commitment + sealedBody
    }

    /// Opens a message and answers its padded content; nil unless it opens under the key and the sender signed it.
    static func open(
        _ message: MessageSeal,
        epoch: GroupEpoch,
        messageKey: SecretBytes,
        sender: PeerID,
        signingKey: [UInt8]
    ) -> [UInt8]? {
        guard let body = message.openBody(messageKey, associatedData: epoch.associatedData),
            body.count > Ed25519.signatureByteCount
        else { return nil }
        let padded = Array(body.dropFirst(Ed25519.signatureByteCount))
        let clear = message.headerNonce + message.sealedHeader + message.commitment
        let signature = Array(body.prefix(Ed25519.signatureByteCount))
        let bytes = signed(epoch, sender, clear, padded)
        return Ed25519.verify(signature, label, bytes, key: signingKey) ? padded : nil
    }

    /// Lists the signed bytes.
    ///
    /// The signature covers the commitment, and by it the key: a member that signs one content cannot show another
    /// under the same key.
    private static func signed(_ epoch: GroupEpoch, _ sender: PeerID, _ clear: [UInt8], _ padded: [UInt8]) -> [UInt8] {
        epoch.associatedData + sender.bytes + clear + SHA256.hash(padded)
    }
}
