/// One session with one peer: the ratchet, and the data about its beginning.
///
/// A value. `SessionTable` alone decides the use of each session. Source: PROTOCOL §7 and §8.
struct Session: Sendable {
    /// The side that made the prekey message.
    enum Origin: Sendable {
        /// This side.
        ///
        /// Until the first answer every packet repeats the prekey message, as long as its prekey is valid.
        case own(prekeyMessage: [UInt8], notAfterHour: UInt32)
        /// This side made the prekey message, and the peer has answered.
        case ownAnswered
        /// The peer made the prekey message.
        case peer
    }

    let id: SessionID
    let peer: PublicIdentity
    var origin: Origin
    /// The time at which the prekey message was made, by its maker's clock.
    ///
    /// Units: seconds since 1970.
    let prekeyMessageMadeAt: UInt32
    /// The time of the last use.
    ///
    /// Units: seconds since 1970 by the local clock.
    var lastUsed: UInt32
    /// The time at which it ceased to be the primary session, by the local clock; nil while it is.
    var retiredAt: UInt32?
    var ratchet: Ratchet
    /// The tags of the peer's mail and of mail for the peer on a relay.
    var mailboxes: Mailboxes

    /// Starts a session by a prekey message to the owner of `bundle`.
    init(from sender: Identity, to bundle: PrekeyBundle, at now: UInt32) throws(CryptoError) {
        let prekeyMessage = try PrekeyMessage(from: sender, to: bundle, at: now)
        id = prekeyMessage.secrets.sessionID
        peer = bundle.identity
        origin = .own(prekeyMessage: prekeyMessage.bytes, notAfterHour: bundle.notAfterHour)
        prekeyMessageMadeAt = now
        lastUsed = now
        ratchet = try Ratchet(initiator: prekeyMessage.secrets, prekey: bundle.prekey, at: now)
        mailboxes = Mailboxes(
            secret: prekeyMessage.secrets.mailboxSecret,
            initiator: sender.publicIdentity.id,
            responder: bundle.identity.id,
            isInitiator: true,
            madeAt: now,
            now: now
        )
    }

    /// Starts a session by the prekey message of a peer.
    init(accepting prekeyMessage: OpenedPrekeyMessage, as recipient: PeerID, at now: UInt32) {
        id = prekeyMessage.secrets.sessionID
        peer = prekeyMessage.sender
        origin = .peer
        prekeyMessageMadeAt = prekeyMessage.madeAt
        lastUsed = now
        ratchet = Ratchet(responder: prekeyMessage.secrets, prekey: prekeyMessage.prekey.key, at: now)
        mailboxes = Mailboxes(
            secret: prekeyMessage.secrets.mailboxSecret,
            initiator: prekeyMessage.sender.id,
            responder: recipient,
            isInitiator: false,
            madeAt: prekeyMessage.madeAt,
            now: now
        )
    }

    /// The prekey message that precedes every message as long as the peer has not answered.
    var prekeyMessage: [UInt8]? {
        guard case .own(let prekeyMessage, _) = origin else { return nil }
        return prekeyMessage
    }

    /// Whether the session can send a message that the peer can open.
    func canSend(at now: UInt32) -> Bool {
        if case .own(_, let notAfterHour) = origin, now / 3_600 > notAfterHour { return false }
        return ratchet.canSend
    }

    /// Whether another session should replace it.
    func isOld(at now: UInt32) -> Bool {
        prekeyMessage == nil && now.subtractingClamped(prekeyMessageMadeAt) >= SessionLimits.renewalSeconds
    }

    /// Seals contents for the requested kind of envelope, which becomes `prekey` as long as the peer has not answered.
    ///
    /// A message without contents ends the session. That of a path probe has one, which is no item.
    ///
    /// - Throws: `contentSize`, `notAnswered`, `exhausted`.
    mutating func seal(
        _ contents: [[UInt8]],
        as asked: CarrierKind,
        at now: UInt32
    ) throws(CryptoError) -> SealedMessage {
        let prekeyMessage = self.prekeyMessage
        guard prekeyMessage == nil || asked == .sealed else {
            throw CryptoError(.notAnswered, "The peer has not answered yet.")
        }
        let kind = prekeyMessage == nil ? asked : .prekey
        let isWide = kind.uncountedByteCount > 0 && ratchet.exchange.wantsRoom(at: now)
        let buckets = isWide ? kind.buckets.filter { $0 >= kind.wideBucket } : kind.buckets
        let padded =
            kind == .probe
            ? Padding.pad(contents.first ?? [], overheadByteCount: kind.overheadByteCount, buckets: buckets)
            : Padding.pad(items: contents, overheadByteCount: kind.overheadByteCount, buckets: buckets)
        guard let padded else {
            throw CryptoError(.contentSize, "The contents are larger than one envelope holds.")
        }
        if isWide { ratchet.exchange.widen(at: now) }
        let sealed = try ratchet.seal(padded: padded)
        lastUsed = now
        let proofHash = kind.uncountedByteCount > 0 ? sealed.deliveryProof.hash : []
        let body = proofHash + (prekeyMessage ?? []) + sealed.bytes
        return SealedMessage(kind: kind, body: body, deliveryProof: sealed.deliveryProof, sessionID: id)
    }

    /// Whether the session was retired so long ago that no late message can arrive.
    func isExpired(at now: UInt32) -> Bool {
        retiredAt.map { now.subtractingClamped($0) > SessionLimits.receiveOnlySeconds } ?? false
    }

    /// Takes the ratchet of an opened message.
    mutating func received(_ next: Ratchet, at now: UInt32) {
        ratchet = next
        lastUsed = now
        if case .own = origin { origin = .ownAnswered }
    }
}

extension Session {
    private static let version: UInt8 = 1

    /// Encodes the session for sealed storage.
    ///
    /// Shape: version 1 (1) ‖ id (32) ‖ peer's keys (64) ‖ prekey message made (4) ‖ last used (4) ‖ retired flag (1), time (4)
    /// ‖ origin (1), for an own prekey message without answer its hour (4) and bytes (1,257) ‖ mailboxes (72) ‖ ratchet.
    func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(id.bytes + peer.encoded)
        writer.append(integer: prekeyMessageMadeAt)
        writer.append(integer: lastUsed)
        writer.append(flag: retiredAt != nil)
        writer.append(integer: retiredAt ?? 0)
        switch origin {
        case .peer: writer.append(integer: UInt8(0))
        case .ownAnswered: writer.append(integer: UInt8(1))
        case .own(let prekeyMessage, let notAfterHour):
            writer.append(integer: UInt8(2))
            writer.append(integer: notAfterHour)
            writer.append(prekeyMessage)
        }
        mailboxes.encode(into: &writer)
        ratchet.encode(into: &writer)
        return writer.finish()
    }

    /// Reads the output of `encoded()`, and the session's exchange.
    ///
    /// - Throws: `malformed` for any other bytes.
    init(decoding record: SecretBytes, exchange: SecretBytes) throws(CryptoError) {
        let exchange = try KEMExchange(decoding: exchange)
        var reader = SecretReader(record)
        guard reader.integer(UInt8.self) == Self.version, let id = reader.bytes(32).flatMap({ SessionID(bytes: $0) }),
            let peer = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let prekeyMessageMadeAt = reader.integer(UInt32.self), let lastUsed = reader.integer(UInt32.self),
            let isRetired = reader.flag(), let retiredAt = reader.integer(UInt32.self),
            isRetired || retiredAt == 0, let origin = Self.origin(decoding: &reader),
            let mailboxes = Mailboxes(decoding: &reader),
            let ratchet = Ratchet(decoding: &reader, exchange: exchange), reader.isAtEnd,
            id == SessionID(transcriptHash: ratchet.associatedData)
        else { throw CryptoError(.malformed, "The record is not a session.") }
        self.id = id
        self.peer = peer
        self.origin = origin
        self.prekeyMessageMadeAt = prekeyMessageMadeAt
        self.lastUsed = lastUsed
        self.retiredAt = isRetired ? retiredAt : nil
        self.ratchet = ratchet
        self.mailboxes = mailboxes
    }

    private static func origin(decoding reader: inout SecretReader) -> Origin? {
        switch reader.integer(UInt8.self) {
        case 0: return .peer
        case 1: return .ownAnswered
        case 2:
            guard let notAfterHour = reader.integer(UInt32.self),
                let prekeyMessage = reader.bytes(PrekeyMessage.byteCount)
            else { return nil }
            return .own(prekeyMessage: prekeyMessage, notAfterHour: notAfterHour)
        default: return nil
        }
    }
}
