/// The parts of a sealed message that 1:1 and group messages share.
///
/// Shape: header nonce (12) ‖ sealed header (56) ‖ commitment (32) ‖ sealed body. Source: PROTOCOL §8.
struct MessageSeal: Sendable {
    /// Units: bytes.
    static let headerByteCount = 40
    /// Units: bytes.
    static let sealedHeaderByteCount = headerByteCount + AEAD.tagByteCount
    /// Units: bytes of the whole message besides its padded content.
    static let overheadByteCount =
        AEAD.nonceByteCount + sealedHeaderByteCount + commitmentByteCount + AEAD.tagByteCount
    private static let commitmentByteCount = 32
    private static let headerPurpose = Label.ratchetHeader.bytes

    /// Both random and public: a restored snapshot that uses a message key again meets another nonce, and with it
    /// another body key.
    let headerNonce: [UInt8]
    let sealedHeader: ArraySlice<UInt8>
    let commitment: [UInt8]
    let sealedBody: ArraySlice<UInt8>

    /// Takes a message apart; nil if it is too short.
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

    /// The header under one candidate key; nil if it is not that key's.
    func openHeader(_ key: SecretBytes) -> [UInt8]? {
        AEAD.open(sealedHeader, key: key, nonce: headerNonce, associatedData: Self.headerPurpose)
    }

    /// The body under a message key; nil unless the sender committed to this very key.
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

    /// Seals a header; the nonce goes in front of the result on the wire.
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

/// What one message key gives under one header nonce: key and nonce of the body, used once, and the commitment.
///
/// Source: PROTOCOL §8.
struct MessageKeys: Sendable {
    let bodyKey: SecretBytes
    let bodyNonce: [UInt8]
    /// AES-GCM does not commit to its key; this hash of it does.
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
