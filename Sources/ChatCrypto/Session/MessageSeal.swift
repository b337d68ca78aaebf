/// The parts of a sealed message that direct and group messages share.
///
/// Shape: header nonce (12) ‖ sealed header (56) ‖ commitment (32) ‖ sealed body. Source: PROTOCOL §8.
struct MessageSeal: Sendable {
    /// Units: bytes.
    static let headerByteCount = 40
    /// Units: bytes.
    static let sealedHeaderByteCount = headerByteCount + AEAD.tagByteCount
    /// Units: bytes of the whole message in addition to its padded content.
    static let overheadByteCount =
        AEAD.nonceByteCount + sealedHeaderByteCount + commitmentByteCount + AEAD.tagByteCount
    private static let commitmentByteCount = 32
    private static let headerPurpose = Label.ratchetHeader.bytes

    /// The header nonce, which is random and public.
    ///
    /// If a restored snapshot uses a message key again, it uses another nonce and therefore another body key.
    let headerNonce: [UInt8]
    let sealedHeader: ArraySlice<UInt8>
    let commitment: [UInt8]
    let sealedBody: ArraySlice<UInt8>

    /// Splits a message into its parts; nil if it is too short.
    init?(_ message: ArraySlice<UInt8>) {
        guard message.count > Self.overheadByteCount else { return nil }
        let headerStart = message.startIndex + AEAD.nonceByteCount
        let commitmentStart = headerStart + Self.sealedHeaderByteCount
        let bodyStart = commitmentStart + Self.commitmentByteCount
        headerNonce = Array(message[..<headerStart])
        sealedHeader = message[headerStart..<commitmentStart]
        commitment = Array(message[commitmentStart..<bodyStart])
        sealedBody = message[bodyStart...]
    }

    /// Opens the header with one candidate key; nil if the header was sealed under another key.
    func openHeader(_ key: SecretBytes) -> [UInt8]? {
        AEAD.open(sealedHeader, key: key, nonce: headerNonce, associatedData: Self.headerPurpose)
    }

    /// Opens the body with a message key; nil unless the sender committed to this key.
    func openBody(_ messageKey: SecretBytes, associatedData: [UInt8]) -> [UInt8]? {
        let keys = MessageKeys(messageKey, headerNonce: headerNonce)
        guard constantTimeEqual(keys.commitment, commitment) else { return nil }
        return AEAD.open(
            sealedBody,
            key: keys.bodyKey,
            nonce: keys.bodyNonce,
            associatedData: associatedData + headerNonce + sealedHeader
        )
    }

    /// Seals a header.
    ///
    /// On the wire, the nonce precedes the result.
    static func sealHeader(_ header: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8] {
        AEAD.seal(header, key: key, nonce: nonce, associatedData: headerPurpose)
    }

    /// Seals a whole message.
    static func seal(
        _ body: [UInt8],
        header: [UInt8],
        headerKey: SecretBytes,
        messageKey: SecretBytes,
        associatedData: [UInt8]
    ) -> [UInt8] {
        let nonce = randomBytes(AEAD.nonceByteCount)
        let sealedHeader = sealHeader(header, key: headerKey, nonce: nonce)
        let keys = MessageKeys(messageKey, headerNonce: nonce)
        let sealedBody = AEAD.seal(
            body,
            key: keys.bodyKey,
            nonce: keys.bodyNonce,
            associatedData: associatedData + nonce + sealedHeader
        )
        return nonce + sealedHeader + keys.commitment + sealedBody
    }
}

/// The values derived from one message key and one header nonce: key and nonce of the body, used once, and the
/// commitment.
///
/// Source: PROTOCOL §8.
struct MessageKeys: Sendable {
    let bodyKey: SecretBytes
    let bodyNonce: [UInt8]
    /// The hash that commits to the key, because AES-GCM itself does not.
    ///
    /// Shape: 32 bytes, public.
    let commitment: [UInt8]

    init(_ messageKey: SecretBytes, headerNonce: [UInt8]) {
        let all = HKDF.derive(salt: headerNonce, inputKey: messageKey, info: Label.ratchetMessage, count: 76)
        bodyKey = all.slice(0..<32)
        bodyNonce = all.withBytes { Array($0[32..<44]) }
        commitment = all.withBytes { Array($0[44..<76]) }
    }
}
