public import Earshot

/// Whom an assistant answers; nobody but verified contacts, unless it is told otherwise.
public struct AccessRule: Hashable, Sendable {
    /// Whether contacts whose safety number was compared are answered.
    public var admitsVerified: Bool
    /// Whether all contacts are.
    public var admitsContacts: Bool
    /// Who is answered besides, whatever is known of them but that they are blocked, revoked or claimed by another.
    public var listed: Set<PeerID>
    /// What makes a stranger a contact, and lets it in as one, if it is the whole of a direct message; nil for nothing.
    ///
    /// Where there is one, members of a room that is entered by a code of its own are answered in it too.
    public let code: String?

    /// Makes a rule.
    ///
    /// - Parameter code: At least 8 characters; a shorter one is none, for it could be guessed.
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

/// What comes of somebody's message, before anything else.
enum AccessDecision: Equatable, Sendable {
    /// It is answered.
    case admitted(Reason)
    /// It was the code: its sender is a contact from now on.
    case welcomed
    /// It is not answered; `words` are what its sender is told, if anything.
    case refused(Reason, words: String?)

    /// Why; the text is for the log.
    enum Reason: String, Sendable {
        case verified = "a verified contact"
        case contact = "a contact"
        case listed = "on the list"
        case codeRoom = "in a room that is entered by its code"
        case unverified = "not verified"
        case stranger = "a stranger"
        case wrongCode = "not the code"
        case roomMember = "in a room, where nobody is a contact"
        case openRoom = "in a room that everybody enters"
        case distrusted = "blocked, revoked or claimed by another"
    }
}

/// Decides who is answered, and whom it is told how often that it is not.
struct AccessBook: Sendable {
    private struct Refused {
        /// Nil while nothing was said.
        var toldAt: ContinuousClock.Instant?
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
    ///   - text: What it says.
    ///   - place: Where it says so.
    mutating func decide(
        about peer: PeerID,
        _ trust: TrustState,
        text: String,
        in place: AskingPlace,
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
            let reason: AccessDecision.Reason = trust == .unknown ? .stranger : .unverified
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
        var book = refused[peer] ?? Refused(guesses: AnswerBucket(guessRate, at: now))
        var reason = reason
        if let code = rule.code, !guess.isEmpty {
            reason = .wrongCode
            if book.guesses.take(at: now) == nil, takeGuess(at: now), Self.isEqual(guess, code) {
                refused[peer] = nil
                return .welcomed
            }
        }
        let mayTell = book.toldAt.map { $0.advanced(by: AssistantLimits.refusalPause) <= now } ?? true
        let words = mayTell && takeRefusal(at: now) ? words(for: reason) : nil
        if words != nil { book.toldAt = now }
        refused[peer] = book
        return .refused(reason, words: words)
    }

    private mutating func takeRefusal(at now: ContinuousClock.Instant) -> Bool {
        let rate = AnswerRate(AssistantLimits.refusalCount, in: AssistantLimits.refusalPause)
        var bucket = refusals ?? AnswerBucket(rate, at: now)
        defer { refusals = bucket }
        return bucket.take(at: now) == nil
    }

    /// Takes one of the guesses that all peers have together, for identities cost nothing.
    private mutating func takeGuess(at now: ContinuousClock.Instant) -> Bool {
        let rate = AnswerRate(AssistantLimits.commonGuessCount, in: AssistantLimits.refusalPause)
        var bucket = guesses ?? AnswerBucket(rate, at: now)
        defer { guesses = bucket }
        return bucket.take(at: now) == nil
    }

    private func words(for reason: AccessDecision.Reason) -> String {
        if reason == .openRoom {
            return "I am an assistant and answer in rooms that are entered by a code, not in those for everybody."
        }
        if rule.code != nil {
            return "I am an assistant and answer who has the code. Send it to me alone, as a message of its own."
        }
        return "I am an assistant and answer only people whom those who run me have chosen. Ask them."
    }

    /// Compares every byte, however early they differ.
    private static func isEqual(_ text: String, _ code: String) -> Bool {
        let (given, right) = (Array(text.utf8), Array(code.utf8))
        guard given.count == right.count else { return false }
        return zip(given, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
