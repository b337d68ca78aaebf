/// The Double Ratchet with header encryption: every message has its own key, and every answer heals the session.
///
/// The secret of the newest epoch enters every root step beside the shared secret of X25519, so the root key stays
/// secret as long as either of them does. A ``KEMExchange`` runs beside the messages and leads to the next epoch.
///
/// A value: `open` works on a copy, which replaces the original only if the message was genuine. Source: PROTOCOL §8;
/// the Double Ratchet Algorithm, revision 4, section 4.
struct Ratchet: Sendable {
    /// The transcript hash of the prekey message, which binds every message to this session.
    ///
    /// Shape: 32 bytes.
    let associatedData: [UInt8]
    /// The epoch of the last root step in either direction.
    var epoch: UInt32
    /// The secret of that epoch.
    var epochSecret: SecretBytes
    /// The exchange that leads to the next epoch.
    var exchange: KEMExchange
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
    init(initiator secrets: PrekeyMessageSecrets, prekey: [UInt8], at now: UInt32) throws(CryptoError) {
        associatedData = secrets.transcriptHash
        epoch = 0
        epochSecret = secrets.epochSecret
        ownKey = X25519.PrivateKey()
        nextReceivingHeaderKey = secrets.responderNextHeaderKey
        let step = Self.step(
            root: secrets.rootKey,
            shared: try ownKey.sharedSecret(with: prekey),
            epochSecret: epochSecret
        )
        exchange = KEMExchange(1, isOwner: true, at: now)
        rootKey = step.root
        nextSendingHeaderKey = step.nextHeaderKey
        sending = RatchetChain(headerKey: secrets.initiatorHeaderKey, chainKey: step.chainKey)
        receiving = nil
        previousCount = 0
        skipped = SkippedKeys()
    }

    /// Makes the side that received the prekey message; it can send once it has opened the first message.
    init(responder secrets: PrekeyMessageSecrets, prekey: X25519.PrivateKey, at now: UInt32) {
        associatedData = secrets.transcriptHash
        epoch = 0
        epochSecret = secrets.epochSecret
        exchange = KEMExchange(1, isOwner: false, at: now)
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

    /// Seals padded content, with a section of the key exchange in the place of its rest.
    ///
    /// - Throws: `exhausted` if there is no sending chain, or if it is at its end.
    mutating func seal(padded: [UInt8]) throws(CryptoError) -> Sealed {
        guard var chain = sending, chain.next <= SessionLimits.maximumMessageNumber else {
            throw CryptoError(.exhausted, "The session cannot send until the peer answers.")
        }
        let header = RatchetHeader(
            ratchetKey: ownKey.publicKey,
            epoch: epoch,
            previousCount: previousCount,
            number: chain.next
        )
        var padded = padded
        if let rest = Padding.split(padded)?.rest, rest.count >= KEMExchange.sectionHeaderByteCount {
            let section = exchange.writeSection(byteCount: rest.count, base: exchangeBase)
            padded.replaceSubrange(rest.indices, with: section)
        }
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
        guard let (messageKey, isNewest) = copy.messageKey(for: message, at: now),
            let padded = message.openBody(messageKey, associatedData: associatedData),
            let (items, rest) = Padding.itemsAndSection(in: padded)
        else { return nil }
        if !rest.isEmpty { copy.exchange.readSection(rest, isNewest: isNewest, base: copy.exchangeBase) }
        copy.skipped.trim(at: now)
        let deliveryProof = DeliveryProof(messageKey: messageKey, headerNonce: message.headerNonce)
        return Opened(items: items, deliveryProof: deliveryProof, next: copy)
    }

    // MARK: - Finding the key

    /// Finds the key of a message, and whether no later message has opened.
    private mutating func messageKey(
        for message: MessageSeal,
        at now: UInt32
    ) -> (key: SecretBytes, isNewest: Bool)? {
        if let chain = receiving, let header = Self.header(of: message, chain.headerKey) {
            if header.number < chain.next { return late(header.number, in: chain.ordinal) }
            return skip(to: header.number, at: now) ? advance() : nil
        }
        if let header = Self.header(of: message, nextReceivingHeaderKey) {
            guard skip(to: header.previousCount, at: now), turn(to: header, at: now), skip(to: header.number, at: now)
            else { return nil }
            return advance()
        }
        for chain in skipped.chains.reversed() where chain.ordinal != receiving?.ordinal {
            guard let header = Self.header(of: message, chain.headerKey) else { continue }
            return late(header.number, in: chain.ordinal)
        }
        return nil
    }

    private mutating func advance() -> (key: SecretBytes, isNewest: Bool)? {
        guard let key = receiving?.advance() else { return nil }
        return (key, true)
    }

    private mutating func late(_ number: UInt32, in chain: UInt32) -> (key: SecretBytes, isNewest: Bool)? {
        skipped.remove(number: number, chain: chain).map { ($0, false) }
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

    /// Advances the root chain in both directions; false for a key that makes a shared secret public, and for an epoch
    /// that the peer cannot have.
    private mutating func turn(to header: RatchetHeader, at now: UInt32) -> Bool {
        // Only the owner of an exchange is the first to use its secret.
        if header.epoch != epoch {
            guard header.epoch == exchange.number, !exchange.isOwner, beginEpoch(at: now) else { return false }
        }
        guard let received = try? ownKey.sharedSecret(with: header.ratchetKey) else { return false }
        let receivingStep = Self.step(root: rootKey, shared: received, epochSecret: epochSecret)
        receiving = RatchetChain(
            ordinal: (receiving?.ordinal ?? 0).addingClamped(1),
            headerKey: nextReceivingHeaderKey,
            chainKey: receivingStep.chainKey
        )
        nextReceivingHeaderKey = receivingStep.nextHeaderKey

        if exchange.isOwner { _ = beginEpoch(at: now) }
        ownKey = X25519.PrivateKey()
        guard let sent = try? ownKey.sharedSecret(with: header.ratchetKey) else { return false }
        let sendingStep = Self.step(root: receivingStep.root, shared: sent, epochSecret: epochSecret)
        previousCount = sending?.next ?? 0
        sending = RatchetChain(headerKey: nextSendingHeaderKey, chainKey: sendingStep.chainKey)
        nextSendingHeaderKey = sendingStep.nextHeaderKey
        rootKey = sendingStep.root
        return true
    }

    /// Begins the next epoch if its secret is there, and the exchange after it; false without the secret.
    private mutating func beginEpoch(at now: UInt32) -> Bool {
        guard let secret = exchange.secret else { return false }
        epoch = exchange.number
        epochSecret = secret
        exchange = KEMExchange(epoch.addingClamped(1), isOwner: !exchange.isOwner, at: now)
        return true
    }

    private var exchangeBase: KEMExchange.Base {
        KEMExchange.Base(associatedData: associatedData, secret: epochSecret)
    }

    private static func step(
        root: SecretBytes,
        shared: SecretBytes,
        epochSecret: SecretBytes
    ) -> (root: SecretBytes, chainKey: SecretBytes, nextHeaderKey: SecretBytes) {
        var inputKey = SecretWriter()
        inputKey.append(shared)
        inputKey.append(epochSecret)
        return HKDF.derive3(salt: root, inputKey: inputKey.finish(), info: Label.ratchetRoot)
    }
}
