/// A message for a whole group; it may leave as soon as the change that came with it is durable.
public struct SealedGroupMessage: Sendable {
    /// The kind of envelope that the message was sealed for.
    public let kind: CarrierKind
    /// The envelope's body.
    public let body: [UInt8]
    /// The epoch that the message belongs to.
    public let epoch: UInt32
}

/// The result of opening a packet that belongs to a group.
public enum GroupOpening: Sendable {
    /// The contents of a genuine message and its sender; the sender is certain: nothing in the content can contradict it.
    case message(contents: [[UInt8]], sender: PublicIdentity)
    /// The sender key of the message has not arrived yet; try the packet again when a key arrives.
    case needsKey(SenderKeyID)
    /// The member has signed two contents for one position; the second one is in this packet and is not shown.
    case equivocation(by: PublicIdentity)
    /// The packet was opened before, is damaged, forged, too old, or too far ahead.
    case refused
}

extension GroupSession {
    // MARK: - Sealing

    /// Seals contents for all members in one message.
    ///
    /// - Parameters:
    ///   - contents: 1 to ``MessageItems/maximumCount``, none of them empty, that take at most
    ///     ``GroupLimits/maximumItemsByteCount`` bytes together.
    ///   - kind: `live` for content that is worthless later; any other kind counts as `sealed`.
    ///   - now: seconds since 1970 by the local clock.
    /// - Returns: the message, and the sender key if it is new. The key goes to all `recipients` over their sessions,
    ///   before the message or at least together with it.
    /// - Throws: `notMember`, `frozen`, `contentSize`.
    public mutating func seal(
        _ contents: [[UInt8]],
        as kind: CarrierKind = .sealed,
        at now: UInt32
    ) throws(CryptoError) -> (message: SealedGroupMessage, newKey: SenderKeyMessage?) {
        guard let epoch = epochs.last else {
            throw CryptoError(.notMember, "This identity is not a member of the group.")
        }
        guard log.fork == nil else { throw LogRefusal.frozen.error }
        let kind: CarrierKind = kind == .live ? .live : .sealed
        let overhead = kind.overheadByteCount + Ed25519.signatureByteCount
        guard 1...MessageItems.maximumCount ~= contents.count, contents.allSatisfy({ !$0.isEmpty }),
            let padded = Padding.pad(items: contents, overheadByteCount: overhead, buckets: kind.buckets)
        else {
            throw CryptoError(.contentSize, "The contents are empty, too many, or larger than one envelope holds.")
        }
        var newKey: SenderKeyMessage?
        var key: SenderKey
        if let current = senderKey, !current.isSpent(freshSince: epoch.freshSince, at: now) {
            key = current
        } else {
            key = SenderKey(of: own.id, group: id, epoch: epoch.number, at: now)
            newKey = key.message
        }
        let (iteration, messageKey) = key.advance()
        senderKey = key
        epochs[epochs.count - 1].messageCount = epoch.messageCount.addingClamped(1)
        let message = GroupSeal.seal(
            padded: padded,
            header: GroupHeader(keyID: key.id, epoch: epoch.number, iteration: iteration),
            epoch: epoch,
            messageKey: messageKey,
            sender: own.id,
            signing: key.signing
        )
        // No member may release an envelope that all members need. A random hash looks like that of a direct message.
        let prefix = kind == .sealed ? randomBytes(DeliveryProofHash.byteCount) : []
        return (SealedGroupMessage(kind: kind, body: prefix + message, epoch: epoch.number), newKey)
    }

    /// The present sender key of this node, for a member that was just added; nil if there is none that stays in use.
    public func currentKey(at now: UInt32) -> SenderKeyMessage? {
        guard let senderKey, let epoch = epochs.last, !senderKey.isSpent(freshSince: epoch.freshSince, at: now) else {
            return nil
        }
        return senderKey.message
    }

    // MARK: - Opening

    /// Opens a packet from any peer; nil if it is not for this group.
    public mutating func open(
        _ packet: InboundPacket,
        at now: UInt32
    ) -> (opening: GroupOpening, change: SessionChange)? {
        guard let message = Self.message(in: packet), let opened = open(message, at: now) else { return nil }
        return (opened.opening, opened.change)
    }

    /// Reads the message of an envelope that may belong to a group.
    static func message(in packet: InboundPacket) -> MessageSeal? {
        guard packet.kind == .sealed || packet.kind == .live, packet.kind.isBucket(bodyByteCount: packet.body.count)
        else { return nil }
        return MessageSeal(packet.body[packet.kind.prefixByteCount...])
    }

    /// Opens a message; nil if it belongs to another group.
    mutating func open(
        _ message: MessageSeal,
        at now: UInt32
    ) -> (opening: GroupOpening, epoch: UInt32, change: SessionChange)? {
        for index in epochs.indices.reversed() {
            guard let bytes = message.openHeader(epochs[index].headerKey) else { continue }
            guard let header = GroupHeader(decoding: bytes), header.epoch == epochs[index].number,
                header.keyID != senderKey?.id
            else { return (.refused, epochs[index].number, SessionChange()) }
            epochs[index].messageCount = epochs[index].messageCount.addingClamped(1)
            let opened = open(message, header, epochs[index], at: now)
            return (opened.opening, header.epoch, opened.change)
        }
        return nil
    }

    private mutating func open(
        _ message: MessageSeal,
        _ header: GroupHeader,
        _ epoch: GroupEpoch,
        at now: UInt32
    ) -> (opening: GroupOpening, change: SessionChange) {
        let refused = (GroupOpening.refused, SessionChange())
        guard var key = received[header.keyID] else { return (.needsKey(header.keyID), SessionChange()) }
        // A removed member knows the keys from before the last removal. A key from after the epoch does not belong to
        // it.
        guard (epoch.freshSince...epoch.number).contains(key.epoch), let sender = log.member(key.owner) else {
            return refused
        }
        func content(under messageKey: SecretBytes) -> [UInt8]? {
            GroupSeal.open(
                message,
                epoch: epoch,
                messageKey: messageKey,
                sender: key.owner,
                signingKey: key.signingKey
            )
        }
        switch key.lookUp(header.iteration, wrap: wrap) {
        case .missing: return refused
        case .used(let messageKey, let digest):
            guard let padded = content(under: messageKey), Self.digest(padded) != digest else { return refused }
            return (.equivocation(by: sender.identity), SessionChange())
        case .open(let messageKey):
            guard let padded = content(under: messageKey), let items = Padding.strip(padded),
                let contents = MessageItems.decode(items)
            else { return refused }
            key.use(header.iteration, digest: Self.digest(padded), wrap: wrap, at: now)
            received[key.id] = key
            var change = SessionChange()
            save(key, in: &change)
            change.append(boundSkipped(of: key.owner, except: key.id))
            return (.message(contents: contents, sender: sender.identity), change)
        }
    }

    private static func digest(_ padded: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(padded).prefix(ReceivedSenderKey.Entry.digestByteCount))
    }
}
