import Bytes
import Foundation
import MeshCore

/// The state of the exchange with one hub.
struct HubState: Sendable {
    /// The phase of the connection.
    enum Phase: Equatable, Sendable {
        case idle
        case connecting
        case checking
        case catchingUp
        case live
        case waiting(until: MeshInstant)
        case refused(until: MeshInstant)
    }

    /// A question to the hub.
    enum Topic: Sendable {
        case download(Downloads.Question)
        /// An envelope that was sent: the highest number that the hub had, and the count of its losses.
        case publish(EnvelopeID, highest: [String: UInt64], lost: Int)
        /// The last mail of the tag of an envelope, which another gateway may have sent.
        case look(EnvelopeID, MailTag)
    }

    /// An examination of the hub under way.
    struct Examination: Sendable {
        var canary: Canary
        let first: UInt64
        let begin: MeshInstant

        var end: MeshInstant { begin.advanced(by: GatewayLimits.answerTime) }
        /// The numbers of its questions.
        var numbers: Range<UInt64> { first..<first + GatewayLimits.examinationQuestionCount }

        /// The subjects that it has subscribed to.
        var subjects: [String] {
            canary.begin().compactMap { request in
                if case .subscribe(let subject) = request { subject } else { nil }
            }
        }

        /// Returns requests of the canary with numbers of this connection.
        func numbered(_ requests: [HubRequest]) -> [HubRequest] {
            requests.map { request in
                guard case .publish(let subject, let body, let id, let number) = request else { return request }
                return .publish(subject: subject, body: body, id: id, number: first + number)
            }
        }
    }

    let url: HubURL
    private(set) var phase = Phase.idle
    private(set) var since: Date
    var problem: HubStatus.Problem?
    var roundTrip: Duration?
    var counters = HubCounters()
    var questions = Questions<Topic>()
    /// The envelopes whose publication was not answered in time, by the number of the question.
    private var late: [UInt64: EnvelopeID] = [:]
    private var lateNumbers = Fifo<UInt64>()
    var uploads: Uploads
    var downloads = Downloads()
    var examination: Examination?
    var nextExamination = MeshInstant.zero
    /// The first instant at which the hub can be found to have lost mail again.
    var nextLoss = MeshInstant.zero
    /// Whether a loss was found before that instant.
    var hasLost = false
    /// The highest number of each stream that the hub has acknowledged.
    private(set) var highest: [String: UInt64] = [:]
    private var backoff = HubBackoff(from: GatewayLimits.firstWait, to: GatewayLimits.longestWait)
    private var openedAt: MeshInstant?
    private var openCount = 0
    /// The instant until which the hub is named although it was lost; nil if it is not named for that.
    private var namedUntil: MeshInstant?
    /// The instant of the first question without an answer since the last answer; nil if there is none.
    private var silentSince: MeshInstant?

    init(_ url: HubURL, hubCount: Int, since: Date) {
        self.url = url
        self.since = since
        uploads = Uploads(hubCount: hubCount)
    }

    /// Whether mail is exchanged.
    var isOpen: Bool { phase == .catchingUp || phase == .live }

    /// Whether other gateways learn that this one uses the hub: for a loss of a minute they need not change their order.
    var isNamed: Bool { isOpen || namedUntil != nil }

    /// Returns whether the hub has been in use for so long that others will have connected with it too.
    func isSteady(now: MeshInstant) -> Bool {
        openedAt.map { $0.advanced(by: GatewayLimits.doubtTime) <= now } ?? false
    }

    /// The instant at which something is to be done; nil if there is nothing.
    var deadline: MeshInstant? { [phaseDeadline, namedUntil].compactMap { $0 }.min() }

    private var phaseDeadline: MeshInstant? {
        switch phase {
        case .idle: .zero
        case .connecting: nil
        case .checking: examination?.end
        case .waiting(let until), .refused(let until): until
        case .catchingUp, .live:
            [
                examination?.end ?? nextExamination, questions.deadline, uploads.deadline, downloads.deadline,
                hasLost ? nextLoss : nil,
            ].compactMap { $0 }.min()
        }
    }

    /// Enters a phase.
    mutating func enter(_ phase: Phase, date: Date) {
        guard phase != self.phase else { return }
        self.phase = phase
        since = date
    }

    /// Begins to exchange mail, as the hub has been examined.
    mutating func open(now: MeshInstant, date: Date) {
        enter(.catchingUp, date: date)
        if openCount > 0 { counters.reconnects += 1 }
        openCount += 1
        openedAt = now
        problem = nil
        namedUntil = nil
        silentSince = nil
    }

    /// Forgets that something was full, unless a mailbox still is.
    mutating func forgetFullness() {
        if uploads.fullMailboxCount == 0, problem?.isFullness == true { problem = nil }
    }

    /// Forgets that the hub had lost mail, which people have had the time to read, and that the clocks differed.
    mutating func forgetFindings() { if problem?.isLoss == true || problem?.isOfClocks == true { problem = nil } }

    /// Names a hub no more that was lost for long.
    mutating func forgetName(now: MeshInstant) { if let namedUntil, namedUntil <= now { self.namedUntil = nil } }

    /// Notes a publication that was not answered in time.
    mutating func noteLate(_ number: UInt64, _ id: EnvelopeID) {
        late[number] = id
        lateNumbers.append(number)
        guard lateNumbers.count > GatewayLimits.lateCount, let oldest = lateNumbers.first else { return }
        lateNumbers.removeFirst()
        late[oldest] = nil
    }

    /// Forgets the publications that were not answered in time: of a hub that lost mail they say nothing.
    mutating func forgetLate() { (late, lateNumbers) = ([:], Fifo()) }

    /// Returns the envelope whose publication had this number and was not answered in time.
    func late(_ number: UInt64) -> EnvelopeID? { late[number] }

    /// Notes that a question was answered.
    mutating func noteAnswer() { silentSince = nil }

    /// Notes that a question was not answered; returns whether the hub has been silent for three such times.
    mutating func noteSilence(now: MeshInstant) -> Bool {
        counters.timeouts += 1
        let since = silentSince ?? now
        // A single loss long ago says nothing.
        let begin = since.advanced(by: GatewayLimits.silenceTime) > now ? since : now
        silentSince = begin
        return begin.advanced(by: GatewayLimits.answerTime * 2) <= now
    }

    /// Notes the end of the connection, or of the attempt to make one.
    mutating func end(_ error: HubError, now: MeshInstant, date: Date, random: inout MeshRandom) {
        if let openedAt, openedAt.advanced(by: GatewayLimits.steadyTime) <= now { backoff.reset() }
        if isOpen { namedUntil = now.advanced(by: GatewayLimits.namedTime) }
        openedAt = nil
        examination = nil
        questions.closeAll()
        forgetLate()
        downloads.disconnect()
        uploads.disconnect(now: now)
        problem = HubStatus.Problem(error)
        if error.needsSomebody {
            namedUntil = nil
            enter(.refused(until: now.advanced(by: random.jittered(GatewayLimits.refusedWait, by: 0.1))), date: date)
        } else {
            enter(.waiting(until: now.advanced(by: random.jittered(backoff.next(), by: 0.5))), date: date)
        }
    }

    /// Notes an acknowledgement; returns whether it shows that the hub has lost mail.
    ///
    /// - Parameters:
    ///   - highestBefore: The numbers at the time of sending.
    ///   - lostBefore: The count of losses at the time of sending.
    mutating func note(
        _ sequence: UInt64,
        in stream: String,
        isDuplicate: Bool,
        highestBefore: [String: UInt64],
        lostBefore: Int
    ) -> Bool {
        let isLost = !isDuplicate && lostBefore == counters.lost && sequence <= highestBefore[stream] ?? 0
        highest[stream] = isLost ? sequence : max(sequence, highest[stream] ?? 0)
        return isLost
    }

    /// The state, for people and programs.
    ///
    /// - Parameters:
    ///   - tags: The tags that nodes of this network watch.
    ///   - limit: The finding that the bytes of the day are used up; nil if they are not.
    func status(tags: Int, limit: HubStatus.Problem? = nil) -> HubStatus {
        let state: HubStatus.State =
            switch phase {
            case .idle: .idle
            case .connecting: .connecting
            case .checking: .checking
            case .catchingUp: .catchingUp
            case .live: .live
            case .waiting: .waiting
            case .refused: .refused
            }
        return HubStatus(
            host: url.description,
            address: url.text,
            state: state,
            since: since,
            rtt: roundTrip.map { $0 / .seconds(1) },
            tags: tags,
            sent: counters.published + counters.duplicates,
            fetched: counters.fetched,
            waiting: isOpen ? uploads.count : nil,
            refused: counters.refused,
            error: problem ?? limit
        )
    }
}

extension HubError {
    /// Whether the hub stays of no use until its operator or its user changes something.
    fileprivate var needsSomebody: Bool {
        switch code {
        case .login, .certificate, .authorities, .clear, .clearText, .url, .proxyURL, .noLibrary: true
        default: false
        }
    }
}
