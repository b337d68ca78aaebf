import Bytes
import MeshCore

/// The fetching of mail from one hub.
///
/// For each tag it asks for the last mail. If that is beyond the cursor, it walks there, one envelope at a time. Cursors
/// are in memory only. Mail that exceeds a rate or the number of a day stays at the hub, and is asked for later.
struct Downloads: Sendable {
    /// A question for mail.
    enum Question: Equatable, Sendable {
        /// The last mail of the tag.
        case last(MailTag)
        /// The next mail of the tag, from this number on.
        case next(MailTag, from: UInt64)

        var tag: MailTag {
            switch self {
            case .last(let tag), .next(let tag, _): tag
            }
        }

        /// The least number of mail that is an answer.
        var first: UInt64 {
            switch self {
            case .last: 1
            case .next(_, let first): first
            }
        }
    }

    /// The finding of an answer about the last mail.
    enum Finding: Equatable, Sendable {
        /// The hub has what it had, or more.
        case normal
        /// The hub has less than it had.
        case lost
    }

    /// The place of mail in the stream of a hub.
    struct Place: Equatable, Sendable {
        let sequence: UInt64
        /// The hash of the mail: a hub that was wiped gives its numbers anew.
        let mark: EnvelopeID
    }

    private struct Walk: Sendable {
        enum Step: Sendable {
            case resting
            case last
            /// The last is asked for again, as mail was left at the hub; such questions and those for mail are rated.
            case again
            case next
            case open
        }

        var step = Step.resting
        var turn: UInt64 = 0
        /// The place of the newest mail that was fetched; nil at the beginning.
        var cursor: Place?
        /// Whether the hub still has that mail there, as this connection has shown.
        var isCertain = false
        /// The number at which the walk ends.
        var goal: UInt64 = 0
        var tryCount = 0
        /// Whether mail was left at the hub since it was last asked.
        var isBehind = false
        /// Whether the tag was subscribed before the last question.
        var isSubscribed = false
        /// Whether all mail has come by a walk, or since then by the subscription.
        var isFollowed = false
        var askedAt: MeshInstant?
        var day = 0
        /// The mail of the day.
        var count = 0
    }

    private typealias Turn = Keyed<UInt64, MailTag>

    /// Whether a subscription brings all mail while the connection lasts, so that what came needs not be walked again.
    var trustsSubscriptions = true
    private var walks: [MailTag: Walk] = [:]
    private var lasts = SortedSet<Turn>()
    private var nexts = SortedSet<Turn>()
    private var openCount = 0
    private var lastTurn: UInt64 = 0
    /// The mail that comes by subscriptions, and the questions.
    private var messages = TokenBucket(rate: GatewayLimits.fetchRate, burst: GatewayLimits.fetchBurst)
    private var questions = TokenBucket(rate: GatewayLimits.fetchRate, burst: GatewayLimits.fetchBurst)
    private var bytes = TokenBucket(rate: GatewayLimits.fetchByteRate, burst: GatewayLimits.fetchByteRate)

    /// Whether everything that was asked for has been answered.
    var isCaughtUp: Bool { openCount == 0 && lasts.isEmpty && nexts.isEmpty }

    /// The instant at which the next question may be asked; nil if there is none.
    var deadline: MeshInstant? {
        guard openCount < GatewayLimits.questionCount else { return nil }
        if !lasts.isEmpty { return .zero }
        return nexts.isEmpty ? nil : max(questions.nextToken, bytes.nextToken)
    }

    // MARK: - Tags

    /// Asks for the mail of a tag, unless that was done shortly before and nothing has changed.
    ///
    /// - Parameter isSubscribed: Whether the tag is subscribed.
    mutating func ask(_ tag: MailTag, isSubscribed: Bool, now: MeshInstant) {
        var walk = walks[tag] ?? Walk()
        let isNew = isSubscribed && !walk.isSubscribed
        if !isNew, let askedAt = walk.askedAt, askedAt.advanced(by: GatewayLimits.askSpacing) > now { return }
        walk.isSubscribed = isSubscribed
        // A question that is open may have been answered before the subscription began.
        if isNew { walk.isBehind = true }
        walks[tag] = walk
        if walk.step == .resting { enqueue(tag, .last) }
    }

    /// Forgets a tag and its cursor.
    mutating func forget(_ tag: MailTag) {
        enqueue(tag, .resting)
        walks[tag] = nil
    }

    /// Forgets all questions, as the connection has ended; the cursors stay.
    mutating func disconnect() {
        (lasts, nexts, openCount) = (SortedSet(), SortedSet(), 0)
        walks = walks.mapValues { old in
            var walk = old
            (walk.step, walk.tryCount, walk.askedAt) = (.resting, 0, nil)
            (walk.isSubscribed, walk.isFollowed, walk.isCertain) = (false, false, false)
            return walk
        }
    }

    /// Has the hub show again that it still has the mail at the cursors.
    mutating func doubtCursors() {
        walks = walks.mapValues { old in
            var walk = old
            // The answer under way belongs to a question that was certain.
            if walk.step != .open { walk.isCertain = false }
            return walk
        }
    }

    /// Returns whether mail of a tag is being fetched.
    func isFetching(_ tag: MailTag) -> Bool { walks[tag].map { $0.step != .resting } ?? false }

    // MARK: - Questions

    /// Takes the next question; nil if none may be asked now.
    mutating func next(now: MeshInstant) -> Question? {
        guard openCount < GatewayLimits.questionCount else { return nil }
        if let turn = lasts.first {
            enqueue(turn.value, .open)
            return last(turn.value, now: now)
        }
        guard let turn = nexts.first, let walk = walks[turn.value], bytes.nextToken <= now, questions.take(now: now)
        else { return nil }
        enqueue(turn.value, .open)
        if walk.step == .again { return last(turn.value, now: now) }
        let cursor = walk.cursor?.sequence ?? 0
        return .next(turn.value, from: cursor == 0 || walk.isCertain ? cursor + 1 : cursor)
    }

    private mutating func last(_ tag: MailTag, now: MeshInstant) -> Question {
        walks[tag]?.askedAt = now
        walks[tag]?.isBehind = false
        return .last(tag)
    }

    /// Takes the answer about the last mail of a tag.
    ///
    /// - Parameters:
    ///   - place: Its place; nil if there is none.
    ///   - isKnown: Whether the mail itself has come by the subscription.
    ///   - day: The day, by which mail is counted.
    mutating func takeLast(
        of tag: MailTag,
        _ place: Place?,
        isKnown: Bool,
        byteCount: Int,
        day: Int,
        now: MeshInstant
    ) -> Finding {
        bytes.spend(byteCount, now: now)
        guard var walk = walks[tag], walk.step == .open else { return .normal }
        let (last, cursor) = (place?.sequence ?? 0, walk.cursor?.sequence ?? 0)
        let isLost = place != nil && (last < cursor || last == cursor && place != walk.cursor)
        walk.tryCount = 0
        if isLost { walk.cursor = nil }
        if isKnown, walk.isFollowed, !walk.isBehind { walk.cursor = place ?? walk.cursor }
        if place == walk.cursor { walk.isCertain = true }
        walk.goal = last
        walks[tag] = walk
        proceed(tag, day: day)
        return isLost ? .lost : .normal
    }

    /// Takes the answer about the next mail of a tag.
    ///
    /// - Parameters:
    ///   - place: Its place, which is the cursor's or beyond it; nil if there is none.
    ///   - isNew: Whether this gateway had not fetched it.
    mutating func takeNext(
        of tag: MailTag,
        _ place: Place?,
        isNew: Bool,
        byteCount: Int,
        day: Int,
        now: MeshInstant
    ) {
        bytes.spend(byteCount, now: now)
        guard var walk = walks[tag], walk.step == .open else { return }
        walk.tryCount = 0
        if let place {
            // The walk begins anew if the hub has lost the mail at the cursor.
            walk.isCertain = walk.cursor == nil || walk.isCertain || place == walk.cursor
            walk.cursor = walk.isCertain ? place : nil
            if isNew { walk.count += 1 }
        } else {
            walk.goal = 0
        }
        walks[tag] = walk
        proceed(tag, day: day)
    }

    /// Asks a question again that was not answered, at most thrice.
    mutating func timeOut(_ question: Question) {
        guard let walk = walks[question.tag], walk.step == .open else { return }
        guard walk.tryCount < GatewayLimits.repeatCount else {
            walks[question.tag]?.tryCount = 0
            return enqueue(question.tag, .resting)
        }
        walks[question.tag]?.tryCount += 1
        if case .last = question { enqueue(question.tag, .last) } else { enqueue(question.tag, .next) }
    }

    /// Returns whether mail that has come by a subscription is within the rates; if not, it is asked for later.
    mutating func admit(_ tag: MailTag, byteCount: Int, day: Int, now: MeshInstant) -> Bool {
        guard var walk = walks[tag] else { return false }
        Self.begin(day, &walk)
        let isAdmitted =
            walk.count < GatewayLimits.fetchCountOfDay && bytes.nextTokens(byteCount) <= now
            && messages.take(now: now)
        if isAdmitted {
            bytes.spend(byteCount, now: now)
        } else {
            (walk.isBehind, walk.isFollowed) = (true, false)
        }
        walks[tag] = walk
        if !isAdmitted, walk.step == .resting, walk.count < GatewayLimits.fetchCountOfDay { enqueue(tag, .again) }
        return isAdmitted
    }

    /// Counts mail that has come by a subscription and is new.
    mutating func count(_ tag: MailTag) { walks[tag]?.count += 1 }

    // MARK: - Details

    /// Goes on with a walk, or ends it.
    private mutating func proceed(_ tag: MailTag, day: Int) {
        guard var walk = walks[tag] else { return }
        Self.begin(day, &walk)
        let isDone = walk.cursor?.sequence ?? 0 >= walk.goal
        let mayGoOn = walk.count < GatewayLimits.fetchCountOfDay
        if isDone { walk.isFollowed = trustsSubscriptions && walk.isSubscribed && !walk.isBehind }
        walks[tag] = walk
        enqueue(tag, !mayGoOn ? .resting : !isDone ? .next : walk.isBehind ? .again : .resting)
    }

    private static func begin(_ day: Int, _ walk: inout Walk) {
        if walk.day != day { (walk.day, walk.count) = (day, 0) }
    }

    private mutating func enqueue(_ tag: MailTag, _ step: Walk.Step) {
        guard var walk = walks[tag] else { return }
        switch walk.step {
        case .resting: break
        case .open: openCount -= 1
        case .last: lasts.remove(Turn(key: walk.turn, value: tag))
        case .next, .again: nexts.remove(Turn(key: walk.turn, value: tag))
        }
        lastTurn += 1
        (walk.step, walk.turn) = (step, lastTurn)
        walks[tag] = walk
        switch step {
        case .resting: break
        case .open: openCount += 1
        case .last: lasts.insert(Turn(key: walk.turn, value: tag))
        case .next, .again: nexts.insert(Turn(key: walk.turn, value: tag))
        }
    }
}
