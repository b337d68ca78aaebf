import Bytes
import ChatCrypto
import MeshCore

/// Mail to and from people in other meshes: the gateways that were heard, the mailboxes that this node watches, and the
/// envelopes that it has written for mailboxes.
///
/// It does nothing while no gateway is near. Source: PROTOCOL §19, §20.
struct FarMail: Sendable {
    /// The time until which a gateway counts as present: another one, or this node.
    private var gatewayUntil = MeshInstant.zero
    /// The time at which a gateway was heard last; nil if none was.
    private(set) var heardAt: MeshInstant?
    /// The time by which mail for each peer, and each group, is written for their mailboxes.
    private var duePeers = Deadlines<PeerID>()
    private var dueGroups = Deadlines<GroupID>()
    /// The envelopes that were written for mailboxes.
    private var written = FarPosts()
    /// The receipts that were written for mailboxes, with the time at which the mesh has them on disk.
    private var writtenReceipts = Fifo<(storedAt: MeshInstant, ids: [MessageID])>()
    /// The room that this day has for pieces of attachments.
    var pieces = FarPieces()
    /// The mailboxes of this node as seen on a day, each with its own day.
    private var watched: (day: UInt32, days: [MailboxTag: UInt32])?
    /// The keys of the mailboxes from which mail came last.
    private var keys: [MailboxTag: MailboxKey] = [:]
    private var keyOrder = Fifo<MailboxTag>()
    private var watchDue = MeshInstant.zero
    private var watchedAt: MeshInstant?
    /// A number that changes with the epochs of groups.
    private var groupVersion: UInt64 = 0
    /// The sessions whose mailboxes are not new.
    private var sessions: Set<SessionID> = []
    /// The day on which mail was written.
    private var writingDay: UInt32?
    /// Whether the mailboxes of the last days were looked at since the start.
    private(set) var hasCaughtUp = false

    /// Returns whether a gateway takes mail at present.
    func hasGateway(at now: MeshInstant) -> Bool { gatewayUntil > now }

    /// The time of the next work.
    var nextDeadline: MeshInstant {
        let next = min(
            watchDue,
            duePeers.first ?? .distantFuture,
            dueGroups.first ?? .distantFuture,
            writtenReceipts.first?.storedAt ?? .distantFuture
        )
        return gatewayUntil > next ? next : .distantFuture
    }

    /// Forgets a gateway that was not heard for long.
    mutating func forgetGateway(at now: MeshInstant) {
        if gatewayUntil <= now { gatewayUntil = .zero }
    }

    /// Has all mail written and asked for again, for a mesh that begins may have lost what the last one kept.
    mutating func begin(at now: MeshInstant) {
        (hasCaughtUp, watchDue) = (false, now)
        written.forgetDays()
    }

    // MARK: - Gateways

    /// Notes an announcement of a gateway; ignores one that names no hub or too many.
    ///
    /// Anybody in the mesh can make one, which costs requests and copies of mail, and no more.
    ///
    /// Shape: random (16) ‖ load (1) ‖ number of hubs (1) ‖ 8 bytes for each ‖ random.
    mutating func hear(_ announcement: [UInt8], at now: MeshInstant) {
        guard announcement.count > 17, 1...FarLimits.announcedHubCount ~= Int(announcement[17]) else { return }
        // Mail may have come to the hubs while none was reached.
        if gatewayUntil <= now { (hasCaughtUp, watchDue) = (false, now) }
        heardAt = now
        gatewayUntil = now.advanced(by: FarLimits.gatewayAge)
    }

    // MARK: - Writing

    /// Has the mail of a conversation written for its mailbox at a time, if nothing confirms it before.
    mutating func expect(_ conversation: ConversationID, at instant: MeshInstant) {
        switch conversation {
        case .direct(let peer): duePeers[peer] = min(duePeers[peer] ?? .distantFuture, instant)
        case .group(let group): dueGroups[group] = min(dueGroups[group] ?? .distantFuture, instant)
        case .room: break
        }
    }

    /// Takes the conversations whose mail is due.
    mutating func takeDue(until now: MeshInstant) -> [ConversationID] {
        guard hasGateway(at: now) else { return [] }
        let (peers, groups) = (duePeers.keys(until: now), dueGroups.keys(until: now))
        for peer in peers { duePeers[peer] = nil }
        for group in groups { dueGroups[group] = nil }
        return peers.map { .direct($0) } + groups.map { .group($0) }
    }

    /// Returns whether the envelope with a release hash was written for a mailbox on this day.
    func isWritten(_ hash: [UInt8]) -> Bool { written.isWritten(hash, on: writingDay) }

    /// Notes the mail in which an envelope with a release hash was written.
    mutating func noteWritten(_ hash: [UInt8], _ mail: [FarPosts.Mail]) { written.note(hash, mail, on: writingDay) }

    /// Notes that a hub has acknowledged mail of this name.
    mutating func note(_ copy: HubCopy, of name: [UInt8]) { written.note(copy, of: name) }

    /// Returns the hubs that have acknowledged the envelope with a release hash.
    func copies(of hash: [UInt8]) -> [HubCopy] { written.copies(of: hash) }

    /// Takes the proofs with which the envelope with a release hash is released in mailboxes.
    mutating func takeProofs(of hash: [UInt8]) -> [DeliveryProof] { written.takeProofs(of: hash) }

    /// Notes receipts that were written for a mailbox; no release comes back for them.
    mutating func noteWritten(receipts ids: [MessageID], at now: MeshInstant) {
        writtenReceipts.append((now.advanced(by: FarLimits.storingTime), ids))
    }

    /// Takes the receipts that the mesh has on disk, so that a crash does not lose them any more.
    mutating func takeStoredReceipts(until now: MeshInstant) -> [MessageID] {
        var taken: [MessageID] = []
        while let first = writtenReceipts.first, first.storedAt <= now {
            taken += first.ids
            writtenReceipts.removeFirst()
        }
        return taken
    }

    /// Has all that is unconfirmed written again on another day than the last one; returns whether it is one.
    mutating func beginDay(_ day: UInt32) -> Bool {
        guard writingDay != day else { return false }
        defer { writingDay = day }
        pieces = FarPieces()
        return writingDay != nil
    }

    // MARK: - Reading

    /// Notes a session, which may have new mailboxes.
    ///
    /// - Parameter isOwnAct: Whether this side began it.
    mutating func noteSession(_ id: SessionID, at now: MeshInstant, isOwnAct: Bool = false) {
        if sessions.count >= FarLimits.sessionCount { sessions = [] }
        if sessions.insert(id).inserted { noteNewMailboxes(at: now, isOwnAct: isOwnAct) }
    }

    /// Has new mailboxes asked for soon.
    ///
    /// - Parameter isOwnAct: Whether they come from the user, and not from peers.
    mutating func noteNewMailboxes(at now: MeshInstant, isOwnAct: Bool = false) {
        watched = nil
        let earliest = isOwnAct ? now : watchedAt?.advanced(by: FarLimits.watchPause) ?? now
        watchDue = min(watchDue, max(earliest, now.advanced(by: FarLimits.watchDelay)))
    }

    /// Has the mailboxes of the last days asked for again: a new session may have mail there.
    mutating func lookBack() { hasCaughtUp = false }

    /// Notes the present epochs of the groups.
    ///
    /// - Parameter version: A number that changes with them.
    mutating func noteGroups(_ version: UInt64, at now: MeshInstant) {
        guard version != groupVersion else { return }
        groupVersion = version
        noteNewMailboxes(at: now)
    }

    /// Returns the key of the own mailbox with a tag; nil if it is none of this node's.
    ///
    /// - Parameters:
    ///   - tags: Returns the tags of all own mailboxes on a day.
    ///   - key: Returns the key of one of them.
    mutating func key(
        of tag: MailboxTag,
        on day: UInt32,
        among tags: (UInt32) -> [MailboxTag],
        _ key: (UInt32) -> MailboxKey?
    ) -> MailboxKey? {
        if watched?.day != day {
            let days = Mailboxes.daysToRead(on: day, wasAbsent: true)
            let all = days.flatMap { day in tags(day).map { ($0, day) } }
            watched = (day, Dictionary(all) { first, _ in first })
            (keys, keyOrder) = ([:], Fifo())
        }
        guard let own = watched?.days[tag] else { return nil }
        if let known = keys[tag] { return known }
        guard let new = key(own) else { return nil }
        keys[tag] = new
        keyOrder.append(tag)
        guard keyOrder.count > FarLimits.keyCount, let oldest = keyOrder.first else { return new }
        keyOrder.removeFirst()
        keys[oldest] = nil
        return new
    }

    /// Takes the requests for mail that are due.
    ///
    /// Mail of the present day is watched all the time, that of the days beside it around midnight; else it is asked for
    /// once each time. Once after the start all days are asked for whose mail may still lie there.
    mutating func takeRequests(
        at time: ChatTime,
        for tags: (UInt32) -> [MailboxTag],
        using random: inout some RandomNumberGenerator
    ) -> [[UInt8]] {
        guard hasGateway(at: time.monotonic), watchDue <= time.monotonic else { return [] }
        watchDue = time.monotonic.advanced(by: FarLimits.watchInterval)
        watchedAt = time.monotonic
        let (day, second) = (Mailboxes.day(at: time.seconds), time.seconds % 86_400)
        let isMidnight = second < FarLimits.midnightSeconds || second >= 86_400 - FarLimits.midnightSeconds
        let present = isMidnight ? Mailboxes.daysToRead(on: day, wasAbsent: false) : day...day
        let asked = Mailboxes.daysToRead(on: day, wasAbsent: !hasCaughtUp)
        hasCaughtUp = true
        let watched = present.flatMap { tags($0).prefix(FarLimits.tagCount / present.count) }
        // The days beside the present one first, should there be too many.
        let nearest = asked.filter { !present.contains($0) }.sorted { Self.distance($0, day) < Self.distance($1, day) }
        let once = Array(nearest.lazy.flatMap(tags).prefix(FarLimits.tagCount))
        return MailboxWatch.requests(for: watched, .stay, using: &random)
            + MailboxWatch.requests(for: once, .once, using: &random)
    }

    private static func distance(_ one: UInt32, _ other: UInt32) -> UInt32 { max(one, other) - min(one, other) }
}
