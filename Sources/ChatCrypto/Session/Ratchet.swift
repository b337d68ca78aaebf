/// The Double Ratchet with header encryption: every message has its own key, and every answer heals the session.
///
/// A value: `open` works on a copy, which replaces the original only if the message was genuine. Source: PROTOCOL §8;
/// the Double Ratchet Algorithm, revision 4, section 4.
struct Ratchet: Sendable {
    /// The transcript hash of the prekey message, which binds every message to this session.
    ///
    /// Shape: 32 bytes.
    let associatedData: [UInt8]
    var rootKey: SecretBytes
    var ownKey: X25519.PrivateKey
    var nextSendingHeaderKey: SecretBytes
    var nextReceivingHeaderKey: SecretBytes
    /// The sending chain; nil for a responder before the first message.
    var sending: RatchetChain?
    /// The receiving chain; nil for an initiator before the first answer.
    var receiving: RatchetChain?
    /// The length of the previous sending chain.
    var previousCount: UInt32
    var skipped: SkippedKeys

    /// Makes the side that sent the prekey message; it can send at once.
    ///
    /// - Throws: `lowOrderPoint` for a prekey that makes a shared secret public.
    init(initiator secrets: PrekeyMessageSecrets, prekey: [UInt8]) throws(CryptoError) {
        associatedData = secrets.transcriptHash
        ownKey = X25519.PrivateKey()
        nextReceivingHeaderKey = secrets.responderNextHeaderKey
        let step = Self.step(root: secrets.rootKey, shared: try ownKey.sharedSecret(with: prekey))
        rootKey = step.root
        nextSendingHeaderKey = step.nextHeaderKey
        sending = RatchetChain(headerKey: secrets.initiatorHeaderKey, chainKey: step.chainKey)
        receiving = nil
        previousCount = 0
        skipped = SkippedKeys()
    }

    /// Makes the side that received the prekey message; it can send once it has opened the first message.
    init(responder secrets: PrekeyMessageSecrets, prekey: X25519.PrivateKey) {
        associatedData = secrets.transcriptHash
        ownKey = prekey
        nextReceivingHeaderKey = secrets.initiatorHeaderKey
        nextSendingHeaderKey = secrets.responderNextHeaderKey
        rootKey = secrets.rootKey
        sending = nil
        receiving = nil
        previousCount = 0
        skipped = SkippedKeys()
    }

    /// A sealed message.
    struct Sealed {
        let bytes: [UInt8]
        let deliveryProof: DeliveryProof
    }

    /// A genuine message and the state of the ratchet after it.
    struct Opened {
        /// The items of the message; empty if it ends the session.
        let items: ArraySlice<UInt8>
        let deliveryProof: DeliveryProof
        let next: Ratchet
    }

    /// Seals padded content.
    ///
    /// - Throws: `exhausted` if there is no sending chain, or if it is at its end.
    mutating func seal(padded: [UInt8]) throws(CryptoError) -> Sealed {
        guard var chain = sending, chain.next <= SessionLimits.maximumMessageNumber else {
            throw CryptoError(.exhausted, "The session cannot send until the peer answers.")
        }
        let header = RatchetHeader(ratchetKey: ownKey.publicKey, previousCount: previousCount, number: chain.next)
        let messageKey = chain.advance()
        sending = chain
        let bytes = MessageSeal.seal(
            padded,
            header: header.encoded,
            headerKey: chain.headerKey,
            messageKey: messageKey,
            associatedData: associatedData
        )
        let headerNonce = Array(bytes.prefix(AEAD.nonceByteCount))
        return Sealed(bytes: bytes, deliveryProof: DeliveryProof(messageKey: messageKey, headerNonce: headerNonce))
    }

    /// Whether a message can be sealed.
    var canSend: Bool { sending.map { $0.next <= SessionLimits.maximumMessageNumber } ?? false }

    /// Opens a message; nil if it belongs to another session, is forged, damaged, too far ahead or was opened before.
    ///
    /// - Parameter now: seconds since 1970, for the age of skipped keys.
    func open(_ message: MessageSeal, at now: UInt32) -> Opened? {
        var copy = self
        guard let messageKey = copy.messageKey(for: message, at: now),
            let padded = message.openBody(messageKey, associatedData: associatedData),
            let items = Padding.items(in: padded)
        else { return nil }
        copy.skipped.trim(at: now)
        let deliveryProof = DeliveryProof(messageKey: messageKey, headerNonce: message.headerNonce)
        return Opened(items: items, deliveryProof: deliveryProof, next: copy)
    }

    // MARK: - Finding the key

    private mutating func messageKey(for message: MessageSeal, at now: UInt32) -> SecretBytes? {
        if let chain = receiving, let header = Self.header(of: message, chain.headerKey) {
            if header.number < chain.next { return skipped.remove(number: header.number, chain: chain.ordinal) }
            return skip(to: header.number, at: now) ? receiving?.advance() : nil
        }
        if let header = Self.header(of: message, nextReceivingHeaderKey) {
            guard skip(to: header.previousCount, at: now), turn(to: header.ratchetKey),
                skip(to: header.number, at: now)
            else { return nil }
            return receiving?.advance()
        }
        for chain in skipped.chains.reversed() where chain.ordinal != receiving?.ordinal {
            guard let header = Self.header(of: message, chain.headerKey) else { continue }
            return skipped.remove(number: header.number, chain: chain.ordinal)
        }
        return nil
    }

    private static func header(of message: MessageSeal, _ key: SecretBytes) -> RatchetHeader? {
        message.openHeader(key).flatMap { RatchetHeader(decoding: $0) }
    }

    /// Keeps the keys of the messages before `number`; false if there are too many.
    private mutating func skip(to number: UInt32, at now: UInt32) -> Bool {
        guard var chain = receiving, number > chain.next else { return true }
        guard number - chain.next <= SessionLimits.maximumGap else { return false }
        while chain.next < number {
            let skippedNumber = chain.next
            skipped.insert(chain.advance(), number: skippedNumber, chain: chain, at: now)
        }
        receiving = chain
        return true
    }

    /// Advances the root chain in both directions; false for a key that makes a shared secret public.
    private mutating func turn(to peerKey: [UInt8]) -> Bool {
        guard let received = try? ownKey.sharedSecret(with: peerKey) else { return false }
        let receivingStep = Self.step(root: rootKey, shared: received)
        receiving = RatchetChain(
            ordinal: (receiving?.ordinal ?? 0).addingClamped(1),
            headerKey: nextReceivingHeaderKey,
            chainKey: receivingStep.chainKey
        )
        nextReceivingHeaderKey = receivingStep.nextHeaderKey

        ownKey = X25519.PrivateKey()
        guard let sent = try? ownKey.sharedSecret(with: peerKey) else { return false }
        let sendingStep = Self.step(root: receivingStep.root, shared: sent)
        previousCount = sending?.next ?? 0
        sending = RatchetChain(headerKey: nextSendingHeaderKey, chainKey: sendingStep.chainKey)
        nextSendingHeaderKey = sendingStep.nextHeaderKey
        rootKey = sendingStep.root
        return true
    }

    private static func step(
        root: SecretBytes,
        shared: SecretBytes
    ) -> (root: SecretBytes, chainKey: SecretBytes, nextHeaderKey: SecretBytes) {
        HKDF.derive3(salt: root, inputKey: shared, info: Label.ratchetRoot)
    }
}
