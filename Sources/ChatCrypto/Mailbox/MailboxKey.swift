import Bytes

/// The key of one mailbox on one day, which gives its tag and seals the mail in it.
///
/// The same message gives the same bytes, so that it can be written again, and other bytes in every other mailbox: a hub
/// cannot tell that the mail of two days, or mail and an envelope in a mesh, are one message. Source: PROTOCOL §19.
public struct MailboxKey: Sendable {
    /// The name of the mailbox.
    public let tag: MailboxTag
    private let key: SecretBytes

    /// Units: bytes before what is sealed: the tag, and the name of the mail.
    static let prefixByteCount = MailboxTag.byteCount + DeliveryProofHash.byteCount
    /// Units: bytes of mail in addition to the body of what is inside.
    static let overheadByteCount = prefixByteCount + 1 + AEAD.tagByteCount

    /// Makes the key of a chain on a day: `HMAC(F, 03)`.
    init(of day: SecretBytes) {
        tag = MailboxTag(of: day)
        key = SecretBytes(copying: HMACSHA256.code([3], key: day))
    }

    /// Makes the key of a group in one epoch for one day: `HMAC(key of the epoch, day u32 ‖ 03)`.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - headerKey: The header key of the epoch; 32 bytes.
    ///   - day: The day, counted from 1970-01-01 UTC.
    package init(of group: GroupID, headerKey: SecretBytes, day: UInt32) {
        tag = MailboxTag(of: group, headerKey: headerKey, day: day)
        let epoch = MailboxTag.key(of: group, headerKey: headerKey)
        key = SecretBytes(copying: HMACSHA256.code(day.bigEndianBytes + [3], key: epoch))
    }

    /// Seals a message: the body of an envelope FAR or FARCHUNK.
    ///
    /// Shape: tag (16) ‖ name (16) ‖ sealed message. The name is the hash of a delivery proof, see ``proof(of:)``, or of
    /// none.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - proof: The delivery proof of what is inside; nil for mail that nobody releases.
    public func seal(_ message: MailboxMessage, proof: DeliveryProof? = nil) -> [UInt8] {
        let plaintext = message.encoded()
        let unproved = { Array(HMACSHA256.code(plaintext, key: key).prefix(DeliveryProofHash.byteCount)) }
        let name = proof.map { self.proof(of: $0).hash } ?? unproved()
        // The key seals one message, so its nonce may be zero.
        let sealed = AEAD.seal(plaintext, key: sealingKey(name[...]), nonce: Self.nonce, associatedData: tag.bytes)
        return tag.bytes + name + sealed
    }

    /// Reads the name of mail, the body of an envelope FAR or FARCHUNK.
    ///
    /// Shape: 16 bytes, fewer only for bytes that are no mail.
    package static func name(ofMail mail: [UInt8]) -> [UInt8] {
        Array(mail.dropFirst(MailboxTag.byteCount).prefix(DeliveryProofHash.byteCount))
    }

    /// Opens mail of this mailbox; nil for anything else.
    public func open(_ mail: [UInt8]) -> MailboxMessage? {
        guard MailboxTag(ofMail: mail) == tag, mail.count >= Self.prefixByteCount else { return nil }
        let sealing = sealingKey(mail[MailboxTag.byteCount..<Self.prefixByteCount])
        let sealed = mail[Self.prefixByteCount...]
        return AEAD.open(sealed, key: sealing, nonce: Self.nonce, associatedData: tag.bytes)
            .flatMap(MailboxMessage.init(decoding:))
    }

    /// Returns the proof that ends the way of a message in this mailbox.
    ///
    /// Nobody without the key can tell that it belongs to the message's own proof.
    public func proof(of proof: DeliveryProof) -> DeliveryProof {
        let derived = HKDF.derive(salt: proof.bytes, inputKey: key, info: Label.mailboxRelease, count: 16)
        return derived.withBytes { DeliveryProof(bytes: Array($0)) } ?? proof
    }

    private static let nonce = [UInt8](repeating: 0, count: AEAD.nonceByteCount)

    private func sealingKey(_ name: ArraySlice<UInt8>) -> SecretBytes {
        HKDF.derive(salt: Array(name), inputKey: key, info: Label.mailboxMail, count: 32)
    }
}
