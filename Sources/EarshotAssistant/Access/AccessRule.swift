public import Earshot

/// The access policy of an assistant; the default allows verified contacts only.
public struct AccessRule: Hashable, Sendable {
    /// Whether the assistant answers contacts whose safety number was compared.
    public var admitsVerified: Bool
    /// Whether the assistant answers all contacts.
    public var admitsContacts: Bool
    /// Further peers that the assistant answers, unless they are blocked, revoked or claimed by another identity.
    public var listed: Set<PeerID>
    /// The access code; nil for none.
    ///
    /// An unknown peer that sends the code as a whole direct message becomes a contact, and is answered from then on.
    /// With a code, the assistant answers all contacts, and the members of rooms that have a code of their own.
    public let code: String?

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - verified: Whether it admits verified contacts.
    ///   - contacts: Whether it admits all contacts.
    ///   - listed: Peers that it admits besides.
    ///   - code: At least 8 characters; a shorter code counts as none, because it could be guessed.
    public init(
        verified: Bool = true,
        contacts: Bool = false,
        listed: Set<PeerID> = [],
        code: String? = nil
    ) {
        admitsVerified = verified
        admitsContacts = contacts
        self.listed = listed
        self.code = code.flatMap { $0.count >= AssistantLimits.codeCharacterCount ? $0 : nil }
    }
}

/// The decision about a message, before anything else happens with it.
enum AccessDecision: Equatable, Sendable {
    /// The message is answered.
    case admitted(Reason)
    /// The message was the code: its sender is a contact from now on.
    case welcomed
    /// The message is not answered; `words` is the reply to its sender, nil for no reply.
    case refused(Reason, words: String?)

    /// The reason of a decision; the text is for the log.
    enum Reason: String, Sendable {
        case verified = "a verified contact"
        case contact = "a contact"
        case listed = "on the list"
        case codeRoom = "in a room that is entered by its code"
        case unverified = "not verified"
        case unknownPeer = "an unknown peer"
        case wrongCode = "a wrong code"
        case roomMember = "in a room, where nobody is a contact"
        case openRoom = "in an open room"
        case distrusted = "blocked, revoked or claimed by another"
    }
}

/// The access state, which decides which messages are answered and how often a refused peer gets a reply.
struct AccessControl: Sendable {
    private struct Refused {
        /// The time of the last reply to the refused peer; nil before the first.
        var notifiedAt: ContinuousClock.Instant?
        var guesses: AnswerBucket
    }

    let rule: AccessRule
    private var refused = RecentPeers<Refused>()
    private var refusals: AnswerBucket?
    private var guesses: AnswerBucket?

    init(_ rule: AccessRule) {
        self.rule = rule
    }

    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - text: The text of the message.
    ///   - place: The kind of conversation that the message arrived in.
    mutating func decide(
        about peer: PeerID,
        _ trust: TrustState,
        text: String,
        in place: QuestionOrigin,
        at now: ContinuousClock.Instant
    ) -> AccessDecision {
        switch trust {
        case .changed, .revoked, .blocked: return .refused(.distrusted, words: nil)
        case .unknown, .tofu, .verified: break
        }
        if rule.listed.contains(peer) { return .admitted(.listed) }
        if trust == .verified, rule.admitsVerified || rule.admitsContacts || rule.code != nil {
            return .admitted(.verified)
        }
        if trust == .tofu, rule.admitsContacts || rule.code != nil { return .admitted(.contact) }
        switch place {
        case .codeRoom where rule.code != nil: return .admitted(.codeRoom)
        case .codeRoom: return refuse(peer, .roomMember, at: now)
        case .openRoom: return refuse(peer, rule.code == nil ? .roomMember : .openRoom, at: now)
        case .direct, .group:
            let reason: AccessDecision.Reason = trust == .unknown ? .unknownPeer : .unverified
            return refuse(peer, reason, place == .direct ? text : "", at: now)
        }
    }

    private mutating func refuse(
        _ peer: PeerID,
        _ reason: AccessDecision.Reason,
        _ guess: String = "",
        at now: ContinuousClock.Instant
    ) -> AccessDecision {
        let guessRate = AnswerRate(AssistantLimits.guessCount, in: AssistantLimits.refusalPause)
        var recordStore = refused[peer] ?? Refused(guesses: AnswerBucket(guessRate, at: now))
        var reason = reason
        if let code = rule.code, !guess.isEmpty {
            reason = .wrongCode
            if recordStore.guesses.take(at: now) == nil, takeGuess(at: now), Self.isEqual(guess, code) {
                refused[peer] = nil
                return .welcomed
            }
        }
        let mayNotify = recordStore.notifiedAt.map { $0.advanced(by: AssistantLimits.refusalPause) <= now } ?? true
        let words = mayNotify && takeRefusal(at: now) ? words(for: reason) : nil
        if words != nil { recordStore.notifiedAt = now }
        refused[peer] = recordStore
        return .refused(reason, words: words)
    }

    private mutating func takeRefusal(at now: ContinuousClock.Instant) -> Bool {
        let rate = AnswerRate(AssistantLimits.refusalCount, in: AssistantLimits.refusalPause)
        var bucket = refusals ?? AnswerBucket(rate, at: now)
        defer { refusals = bucket }
        return bucket.take(at: now) == nil
    }

    /// Takes one guess from the budget that all peers share, because identities cost nothing.
    private mutating func takeGuess(at now: ContinuousClock.Instant) -> Bool {
        let rate = AnswerRate(AssistantLimits.commonGuessCount, in: AssistantLimits.refusalPause)
        var bucket = guesses ?? AnswerBucket(rate, at: now)
        defer { guesses = bucket }
        return bucket.take(at: now) == nil
    }

    private func words(for reason: AccessDecision.Reason) -> String {
        if reason == .openRoom {
            return "I am an assistant. I answer in rooms that are entered by a code, not in open rooms."
        }
        if rule.code != nil {
            return
                """
                I am an assistant and answer people who have the code. Send me the code in a message of its own, \
                here and in no group.
                """
        }
        return "I am an assistant and answer only people that my operator has chosen. Ask the operator."
    }

    /// Compares every byte of texts of equal length, wherever they differ first.
    private static func isEqual(_ text: String, _ code: String) -> Bool {
        let (given, right) = (Array(text.utf8), Array(code.utf8))
        guard given.count == right.count else { return false }
        return zip(given, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
