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
    /// A genuine message, its sender and the sender's device; the sender is certain: nothing in the contents can
    /// contradict it.
    case message(contents: [[UInt8]], sender: PublicIdentity, device: UInt8)
    /// A notice, which any member can have made.
    case notice(contents: [[UInt8]])
    /// The key of the sender's device is unknown; try the packet again when the list of devices arrives.
    case needsDevice(PublicIdentity, device: UInt8)
    /// The member has signed two contents for one position; the second one is in this packet and is not shown.
    case equivocation(by: PublicIdentity)
    /// The packet was opened before, is damaged, forged, too old, or too far ahead.
    case refused
}

extension GroupSession {
    // MARK: - Sealing

    /// Seals contents for all members.
    ///
    /// - Parameters:
    ///   - contents: 1 to 256 contents, none of them empty.
    ///   - kind: `live` for content that is worthless later; any other kind counts as `sealed`.
    ///   - identity: the identity of this device.
    ///   - now: seconds since 1970 by the local clock.
    /// - Throws: `notMember`, `frozen`, `contentSize`, `full`, `mustWait` while ``mustWait``, and `invalidOperation` if
    ///   the policy lets only admins write.
    public mutating func seal(
        _ contents: [[UInt8]],
        as kind: CarrierKind = .sealed,
        by identity: Identity,
        at now: UInt32
    ) throws(CryptoError) -> (message: SealedGroupMessage, change: SessionChange) {
        let (path, epoch) = try presentKeys()
        guard !mustWait else {
            throw CryptoError(.mustWait, "The group's next change is not here yet. Try again when it is.")
        }
        guard epoch.writers?.contains(path.slot) ?? true else {
            throw CryptoError(.invalidOperation, "Only admins write in this group.")
        }
        let kind: CarrierKind = kind == .live ? .live : .sealed
        let padded = try Self.pad(contents, for: kind, overhead: Ed25519.signatureByteCount)
        let run = presentRun(in: epoch, path.slot, at: now)
        guard var chain = epoch.chain(path.slot, device, run: run, wrap: wrap),
            let (iteration, key) = chain.advance(wrap)
        else { throw CryptoError(.full, "The epoch has no more keys for messages of this device.") }
        keep(chain, epochs.count - 1)
        let header = GroupHeader(slot: path.slot, device: device, epoch: epoch.number, run: run, iteration: iteration)
        let message = GroupSeal.seal(
            padded: padded,
            header: header,
            epoch: epoch,
            messageKey: key,
            sender: own.id,
            signing: identity.signing
        )
        return (Self.envelope(message, kind, epoch), takeChange())
    }

    /// The run of this device: the present one, or one that the program begins because it was started.
    ///
    /// It is the number of five minutes since 1970 by the local clock, so that an earlier copy of the data directory begins
    /// a run that was not used, also in an epoch that began after the copy was made.
    private mutating func presentRun(in epoch: GroupEpoch, _ slot: UInt16, at now: UInt32) -> UInt32 {
        if let ownRun, ownRun.epoch == epoch.number { return ownRun.run }
        let next = epoch.nextRun(slot, device)
        let run = min(max(next, now / GroupLimits.runSeconds), GroupLimits.maximumRun)
        ownRun = (epoch.number, run)
        return run
    }

    /// Seals a notice, which all members need and which counts only for the signed things in it.
    ///
    /// - Throws: `notMember`, `contentSize`. A frozen group still passes on the proof of its fork, and a member that has
    ///   to wait still passes on operations.
    public mutating func sealNotice(_ contents: [[UInt8]]) throws(CryptoError) -> SealedGroupMessage {
        guard let epoch = epochs.last else {
            throw CryptoError(.notMember, "This identity is not a member of the group.")
        }
        return try notice(contents, in: epoch)
    }

    /// Seals a notice in a past epoch: an operation goes out under the epoch before it.
    ///
    /// - Returns: nil if the epoch's keys are erased.
    public func sealNotice(_ contents: [[UInt8]], epoch number: UInt32) throws(CryptoError) -> SealedGroupMessage? {
        guard let epoch = epochs.first(where: { $0.number == number }) else { return nil }
        return try notice(contents, in: epoch)
    }

    private func notice(_ contents: [[UInt8]], in epoch: GroupEpoch) throws(CryptoError) -> SealedGroupMessage {
        let padded = try Self.pad(contents, for: .sealed, overhead: 0)
        let message = MessageSeal.seal(
            padded,
            header: GroupHeader.notice(epoch: epoch.number).encoded,
            headerKey: epoch.headerKey,
            messageKey: epoch.noticeKey,
            associatedData: epoch.associatedData
        )
        return Self.envelope(message, .sealed, epoch)
    }

    private func presentKeys() throws(CryptoError) -> (MemberPath, GroupEpoch) {
        guard let path, let epoch = epochs.last else {
            throw CryptoError(.notMember, "This identity is not a member of the group.")
        }
        guard log.fork == nil else { throw LogRefusal.frozen.error }
        return (path, epoch)
    }

    private static func pad(_ contents: [[UInt8]], for kind: CarrierKind, overhead: Int) throws(CryptoError) -> [UInt8]
    {
        let overhead = kind.overheadByteCount + overhead
        guard 1...MessageItems.maximumCount ~= contents.count, contents.allSatisfy({ !$0.isEmpty }),
            let padded = Padding.pad(items: contents, overheadByteCount: overhead, buckets: kind.buckets)
        else {
            throw CryptoError(.contentSize, "The contents are empty, too many, or larger than one envelope holds.")
        }
        return padded
    }

    private static func envelope(_ message: [UInt8], _ kind: CarrierKind, _ epoch: GroupEpoch) -> SealedGroupMessage {
        // No member may release an envelope that all members need. A random hash looks like that of a direct message.
        let prefix = kind == .sealed ? randomBytes(DeliveryProofHash.byteCount) : []
        return SealedGroupMessage(kind: kind, body: prefix + message, epoch: epoch.number)
    }

    // MARK: - Opening

    /// Finds the signing key of a member's device other than the first.
    public typealias DeviceKey = (_ member: PeerID, _ device: UInt8) -> DeviceAnswer

    /// The list of a member's devices, asked for one of them.
    public enum DeviceAnswer: Hashable, Sendable {
        /// The signing key of the device; 32 bytes.
        case key([UInt8])
        /// The list does not name the device.
        case unlisted
        /// The list of the member's devices is missing.
        case noList
    }

    /// Opens a packet from any peer; nil if it is not for this group.
    public mutating func open(
        _ packet: InboundPacket,
        devices: DeviceKey = { _, _ in .noList },
        at now: UInt32
    ) -> (opening: GroupOpening, epoch: UInt32, change: SessionChange)? {
        guard let message = Self.message(in: packet) else { return nil }
        return open(message, devices: devices, at: now)
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
        devices: DeviceKey,
        at now: UInt32
    ) -> (opening: GroupOpening, epoch: UInt32, change: SessionChange)? {
        for index in epochs.indices.reversed() {
            guard let bytes = message.openHeader(epochs[index].headerKey) else { continue }
            let number = epochs[index].number
            guard let header = GroupHeader(decoding: bytes), header.epoch == number else {
                return (.refused, number, SessionChange())
            }
            let opening =
                header.slot == GroupHeader.noticeSlot
                ? openNotice(message, epochs[index]) : open(message, header, index, devices, at: now)
            return (opening, number, takeChange())
        }
        return nil
    }

    private func openNotice(_ message: MessageSeal, _ epoch: GroupEpoch) -> GroupOpening {
        guard let padded = message.openBody(epoch.noticeKey, associatedData: epoch.associatedData),
            let contents = Padding.strip(padded).flatMap({ MessageItems.decode($0) })
        else { return .refused }
        return .notice(contents: contents)
    }

    private mutating func open(
        _ message: MessageSeal,
        _ header: GroupHeader,
        _ index: Int,
        _ devices: DeviceKey,
        at now: UInt32
    ) -> GroupOpening {
        guard let sender = sender(of: header, index) else { return .refused }
        let key: [UInt8]
        switch header.device == 0 ? .key(sender.signingKey) : devices(sender.id, header.device) {
        case .key(let listed): key = listed
        case .unlisted: return .refused
        case .noList: return .needsDevice(sender, device: header.device)
        }
        guard var chain = epochs[index].chain(header.slot, header.device, run: header.run, wrap: wrap) else {
            return .refused
        }
        switch chain.lookUp(header.iteration, limit: epochs[index].maximumSkip, ahead: &aheadKeys, wrap: wrap) {
        case .missing: return .refused
        case .used(let messageKey, let digest):
            let padded = Self.padded(message, epochs[index], messageKey, sender.id, key)
            return padded.map(Self.digest) ?? digest == digest ? .refused : .equivocation(by: sender)
        case .open(let messageKey):
            guard let padded = Self.padded(message, epochs[index], messageKey, sender.id, key),
                let contents = Padding.strip(padded).flatMap({ MessageItems.decode($0) })
            else { return .refused }
            chain.use(header.iteration, digest: Self.digest(padded), wrap: wrap, at: now)
            keep(chain, index)
            aheadKeys.advance(chain.name, to: chain.next)
            boundSkipped(of: header.slot, except: index)
            return .message(contents: contents, sender: sender, device: header.device)
        }
    }

    /// Finds the member that a header names; nil if nothing of this member opens here.
    private func sender(of header: GroupHeader, _ index: Int) -> PublicIdentity? {
        // A member that was added to the slot later did not write in this epoch.
        guard let entry = log.table[header.slot], entry.epoch <= header.epoch else { return nil }
        let isOwn = header.slot == slot && header.device == device
        let isLeaver = leavers.contains(entry.member.identity.id)
        let mayWrite = epochs[index].writers?.contains(header.slot) ?? true
        return isOwn || isLeaver || !mayWrite ? nil : entry.member.identity
    }

    private static func padded(
        _ message: MessageSeal,
        _ epoch: GroupEpoch,
        _ messageKey: SecretBytes,
        _ sender: PeerID,
        _ signingKey: [UInt8]
    ) -> [UInt8]? {
        GroupSeal.open(message, epoch: epoch, messageKey: messageKey, sender: sender, signingKey: signingKey)
    }

    /// Keeps a chain after its use.
    private mutating func keep(_ chain: MessageChain, _ index: Int) {
        let number = epochs[index].number
        var chain = chain
        let (slot, device) = (chain.name.slot, chain.name.device)
        let pages = chain.takeChangedPages().map { SlotChains.Page(device: device, run: chain.name.run, number: $0) }
        let (tree, dropped) = epochs[index].keep(chain, wrap: wrap)
        changed.formUnion(tree.map { .epoch(number, $0) })
        changed.formUnion((pages + dropped).map { .keys(number, slot, $0) })
        epochs[index].messageCount = epochs[index].messageCount.addingClamped(1)
        changed.insert(.chains(number, slot))
    }

    /// Drops keys of missing messages of a member that has too many, starting with the oldest epoch.
    private mutating func boundSkipped(of slot: UInt16, except current: Int) {
        let counts = epochs.map { $0.senders[slot]?.skippedCount ?? 0 }
        var surplus = counts.reduce(0, +) - GroupLimits.skippedPerMember
        for index in epochs.indices.filter({ $0 != current }) + [current] where surplus > 0 && counts[index] > 0 {
            let dropped = min(surplus, counts[index])
            changeChains(of: slot, index) { $0.dropSkipped(dropped) }
            surplus -= dropped
        }
    }

    private static func digest(_ padded: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(padded).prefix(MessageChain.Entry.digestByteCount))
    }
}
