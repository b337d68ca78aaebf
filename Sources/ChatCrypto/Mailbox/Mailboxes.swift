/// The two directions of mail between two people, or to and from the owner of a token.
///
/// Source: PROTOCOL §19.
public struct Mailboxes: Sendable {
    /// The days for which mail may lie, so that the reader keeps their keys.
    public static let readingDays: UInt32 = 8
    /// The days for which a token may be used.
    public static let tokenDays: UInt32 = 90

    /// The mail that this side writes.
    public private(set) var outgoing: MailboxChain
    /// The mail that this side reads.
    public private(set) var incoming: MailboxChain

    /// The days around its own within which a recipient believes the time of a prekey message: no honest one is older
    /// than the prekeys that are kept.
    private static let (pastDays, futureDays): (UInt32, UInt32) = (16, 2)

    /// Derives the mailboxes of a session.
    ///
    /// - Parameters:
    ///   - secret: `K_far` of the prekey message; 32 bytes.
    ///   - initiator: the maker of the prekey message.
    ///   - responder: its recipient.
    ///   - isInitiator: whether this side is the maker.
    ///   - time: the time that the prekey message states. Units: seconds since 1970.
    ///   - now: the local time. Units: seconds since 1970.
    init(
        secret: SecretBytes,
        initiator: PeerID,
        responder: PeerID,
        isInitiator: Bool,
        madeAt time: UInt32,
        now: UInt32
    ) {
        let salt = initiator.bytes + responder.bytes
        let keys = HKDF.derive(salt: salt, inputKey: secret, info: Label.mailbox, count: 64)
        let today = Self.day(at: now)
        let believed = today.subtractingClamped(Self.pastDays)...today.addingClamped(Self.futureDays)
        let day = min(max(Self.day(at: time), believed.lowerBound), believed.upperBound)
        let first = MailboxChain(firstDay: day, key: keys.slice(0..<32))
        let second = MailboxChain(firstDay: day, key: keys.slice(32..<64))
        (outgoing, incoming) = isInitiator ? (first, second) : (second, first)
    }

    /// Derives the mailboxes of a token.
    ///
    /// People without a session with the owner use them to write to the owner.
    ///
    /// - Parameters:
    ///   - token: 16 random bytes.
    ///   - owner: its maker.
    ///   - isOwner: whether this side is the maker.
    ///   - day: the first day of the token, counted from 1970-01-01 UTC.
    public init?(token: SecretBytes, of owner: PeerID, isOwner: Bool, from day: UInt32) {
        guard token.count == MailboxToken.byteCount else { return nil }
        let keys = HKDF.derive(salt: owner.bytes, inputKey: token, info: Label.mailboxToken, count: 64)
        let toOwner = MailboxChain(firstDay: day, key: keys.slice(0..<32))
        let fromOwner = MailboxChain(firstDay: day, key: keys.slice(32..<64))
        (outgoing, incoming) = isOwner ? (fromOwner, toOwner) : (toOwner, fromOwner)
    }

    /// The day of a time, counted from 1970-01-01 UTC.
    ///
    /// - Parameter time: seconds since 1970.
    public static func day(at time: UInt32) -> UInt32 { time / 86_400 }

    /// Returns the days under whose tags mail may lie that this side has not seen; the parameters are those of
    /// ``tagsToRead(on:wasAbsent:)``.
    package static func daysToRead(on day: UInt32, wasAbsent: Bool) -> ClosedRange<UInt32> {
        day.subtractingClamped(wasAbsent ? readingDays : 1)...day.addingClamped(1)
    }

    /// Returns the tags of the days under which mail for this side may lie.
    ///
    /// - Parameters:
    ///   - day: the present day by the local clock. Each clock may be wrong by a day.
    ///   - wasAbsent: whether this side has not looked since yesterday; mail lies for 7 days.
    public func tagsToRead(on day: UInt32, wasAbsent: Bool = false) -> [MailboxTag] {
        Self.daysToRead(on: day, wasAbsent: wasAbsent).compactMap { incoming.tag(of: $0) }
    }

    /// Forgets the keys of days whose mail is gone: of writing those before yesterday, of reading those 8 days ago.
    ///
    /// - Returns: whether a key was forgotten.
    mutating func forgetPast(on day: UInt32) -> Bool {
        let isOutgoing = outgoing.forget(before: day.subtractingClamped(1))
        let isIncoming = incoming.forget(before: day.subtractingClamped(Self.readingDays))
        return isOutgoing || isIncoming
    }
}

extension Mailboxes {
    /// Shape: outgoing chain (36) ‖ incoming chain (36).
    func encode(into writer: inout SecretWriter) {
        outgoing.encode(into: &writer)
        incoming.encode(into: &writer)
    }

    /// Reads the output of `encode`; nil for too few bytes.
    init?(decoding reader: inout SecretReader) {
        guard let outgoing = MailboxChain(decoding: &reader), let incoming = MailboxChain(decoding: &reader) else {
            return nil
        }
        self.outgoing = outgoing
        self.incoming = incoming
    }
}
