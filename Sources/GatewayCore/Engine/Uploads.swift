import Bytes
import MeshCore

/// The envelopes on their way to one hub.
///
/// The store of the mesh is the real queue: what finds no place here, and what was under way when a connection ended,
/// comes again with the next reading of the store. So nothing is kept for a hub that is not connected.
/// Invariants: `byCause` holds each id under its release hash; an envelope is in `delays`, in `order`, in `looks` or
/// under way, as its step says; `shares` holds those of links that are not under way.
struct Uploads: Sendable {
    /// A message that may be sent now.
    enum Step: Sendable {
        /// Publish the envelope.
        case publish(EnvelopeID, MailTag, Envelope)
        /// Ask for the last mail of the tag, for another gateway may have published this envelope.
        case look(EnvelopeID, MailTag)
    }

    /// The state of an envelope that the hub has.
    private struct Acknowledged: Sendable {
        var time: MeshInstant
        /// Whether it needs not go again.
        var isDone: Bool
    }

    private enum Place: Equatable, Sendable {
        case delayed(MeshInstant)
        case looking
        case queued
        case open
    }

    private struct Upload: Sendable {
        let letter: FarLetter
        let since: MeshInstant
        let link: LinkID?
        let number: UInt64
        /// Whether another gateway comes first, so that the hub may have it.
        let looks: Bool
        var place: Place
        var sendCount = 0
    }

    /// The link from which this node's own pieces of attachments seem to come.
    private static let ownChunks = LinkID(.max - 1)

    private let countLimit: Int
    private let byteLimit: Int
    private var uploads: [EnvelopeID: Upload] = [:]
    private var byCause: [ArraySlice<UInt8>: Set<EnvelopeID>] = [:]
    private var acknowledged = RecentIDs<Acknowledged>(limit: GatewayLimits.acknowledgedCount)
    private var order = UploadOrder()
    private var looks = SortedSet<UploadOrder.Turn>()
    private var delays = SortedSet<Keyed<MeshInstant, EnvelopeID>>()
    /// The newest envelope of a link is its first here, so that a full queue keeps the oldest.
    private var shares = LinkShares<UploadOrder.Turn>()
    private var full = FullMailboxes()
    private var fullBackoff = HubBackoff(from: GatewayLimits.fullWait, to: GatewayLimits.longestFullWait)
    /// The end of the wait for a full hub.
    private var pause = MeshInstant.zero
    private var lastNumber: UInt64 = 0
    private var byteCount = 0
    private var openCount = 0
    private var openByteCount = 0
    /// Units: bytes that may be under way: as many as the hub has lately acknowledged in time.
    private var window = GatewayLimits.firstWindowByteCount
    /// The instant from which the store is to be read again; nil if nothing was left there.
    private var leftUntil: MeshInstant?
    private var storeReadAt = MeshInstant.zero

    /// Makes an empty queue that has an equal share of the room for all hubs.
    init(hubCount: Int) {
        countLimit = GatewayLimits.queueCount / max(1, hubCount)
        byteLimit = GatewayLimits.queueByteCount / max(1, hubCount)
    }

    /// The number of envelopes that the hub has not acknowledged.
    var count: Int { uploads.count }
    /// The number of full mailboxes that are remembered.
    var fullMailboxCount: Int { full.count }
    /// Whether the hub is full.
    func isPaused(now: MeshInstant) -> Bool { now < pause }

    /// Returns whether this gateway has sent the envelope to the hub, as far as is remembered.
    func hasSent(_ id: EnvelopeID) -> Bool { acknowledged[id] != nil || uploads[id].map { $0.sendCount > 0 } ?? false }

    /// Returns whether the mesh has given an envelope for the hub, as far as is remembered.
    func isKnown(_ id: EnvelopeID) -> Bool { uploads[id] != nil || acknowledged[id] != nil }

    // MARK: - Envelopes of the mesh

    /// Returns whether an envelope is to be offered: unless the hub has it, or it stays in the store for now.
    mutating func takes(_ letter: FarLetter, _ id: EnvelopeID, from link: LinkID?, now: MeshInstant) -> Bool {
        guard uploads[id] == nil, acknowledged[id]?.isDone != true else { return false }
        if let end = full.wait(for: letter.tag, now: now) {
            leave(until: end)
            return false
        }
        guard hasRoom(for: letter) || shares.surplus(for: link) != nil else {
            leave(until: now)
            return false
        }
        return true
    }

    /// Takes an envelope that is to be offered.
    ///
    /// - Parameters:
    ///   - link: The link that brought it; nil for this node.
    ///   - delay: The time to wait.
    ///   - looks: Whether another gateway may have published it by then.
    mutating func offer(
        _ letter: FarLetter,
        _ id: EnvelopeID,
        from link: LinkID?,
        after delay: Duration,
        looks: Bool,
        now: MeshInstant
    ) {
        // Own pieces of attachments wait behind messages, as those of a link.
        let link = link ?? (letter.isChunk ? Self.ownChunks : nil)
        guard makeRoom(for: letter, from: link, now: now) else { return }
        let place: Place = delay > .zero ? .delayed(now.advanced(by: delay)) : looks ? .looking : .queued
        lastNumber += 1
        let upload = Upload(letter: letter, since: now, link: link, number: lastNumber, looks: looks, place: place)
        uploads[id] = upload
        byteCount += upload.letter.byteCount
        byCause[letter.proofHash, default: []].insert(id)
        enter(upload, id, now: now)
    }

    /// Ends the way of the envelopes whose delivery proof has this hash.
    mutating func release(_ proofHash: [UInt8], now: MeshInstant) {
        for id in byCause[proofHash[...]] ?? [] { remove(id, now: now) }
    }

    /// Ends the way of the envelopes of other nodes that are not under way.
    mutating func removeOthers(now: MeshInstant) {
        for (id, upload) in uploads where upload.place != .open && upload.link.map({ $0 != Self.ownChunks }) ?? false {
            remove(id, now: now)
        }
    }

    /// Ends the way of an envelope.
    mutating func remove(_ id: EnvelopeID, now: MeshInstant) {
        guard let upload = uploads.removeValue(forKey: id) else { return }
        exit(upload, id, now: now)
        byteCount -= upload.letter.byteCount
        byCause[upload.letter.proofHash]?.remove(id)
        if byCause[upload.letter.proofHash]?.isEmpty == true { byCause[upload.letter.proofHash] = nil }
    }

    // MARK: - Sending

    /// Takes what may be sent now; nil if nothing may.
    mutating func next(now: MeshInstant) -> Step? {
        wake(now: now)
        while pause <= now, isOpen {
            if let turn = looks.first, let upload = uploads[turn.value] {
                move(turn.value, to: .open, now: now)
                return .look(turn.value, upload.letter.tag)
            }
            guard let turn = order.next(now: now) else { return nil }
            guard let upload = uploads[turn.value], let envelope = send(turn.value, now: now) else { continue }
            return .publish(turn.value, upload.letter.tag, envelope)
        }
        return nil
    }

    /// Returns whether the store is to be read now, for there is room for what was left in it.
    mutating func readsStore(now: MeshInstant) -> Bool {
        guard let time = storeTime, time <= now else { return false }
        startReading(now: now)
        return true
    }

    /// Notes that the store is read.
    mutating func startReading(now: MeshInstant) {
        leftUntil = nil
        storeReadAt = now
    }

    /// The instant at which something may be sent or read; nil if there is nothing.
    var deadline: MeshInstant? {
        let sending = isOpen ? (looks.isEmpty ? order.deadline : .zero).map { max($0, pause) } : nil
        return [sending, delays.first?.key, storeTime].compactMap { $0 }.min()
    }

    /// Whether more may be under way.
    private var isOpen: Bool {
        openCount < GatewayLimits.windowCount && openByteCount + Envelope.maximumByteCount <= window
    }

    private var storeTime: MeshInstant? {
        guard let leftUntil, count <= countLimit / 2, byteCount <= byteLimit / 2 else { return nil }
        return max(leftUntil, storeReadAt.advanced(by: GatewayLimits.storeSpacing))
    }

    // MARK: - Answers of the hub

    /// Notes that the hub has the envelope; returns its name if it is own mail.
    @discardableResult
    mutating func accept(_ id: EnvelopeID, now: MeshInstant) -> [UInt8]? {
        guard let upload = uploads[id] else { return nil }
        if upload.place == .open, upload.sendCount > 0 {
            window = min(window + upload.letter.byteCount, GatewayLimits.windowByteCount)
        }
        remove(id, now: now)
        full.accept(upload.letter.tag)
        fullBackoff.reset()
        acknowledged.note(id, Acknowledged(time: now, isDone: true))
        return upload.link == nil ? Array(upload.letter.proofHash) : nil
    }

    /// Ends the way of an envelope that the hub never takes.
    mutating func discard(_ id: EnvelopeID, now: MeshInstant) {
        remove(id, now: now)
        acknowledged.note(id, Acknowledged(time: now, isDone: true))
    }

    /// Notes that the mailbox of the envelope is full; it and others for it wait in the store.
    mutating func refuseMailbox(_ id: EnvelopeID, now: MeshInstant) {
        guard let upload = uploads[id] else { return }
        remove(id, now: now)
        leave(until: full.refuse(upload.letter.tag, now: now))
    }

    /// Notes that the hub is full.
    mutating func refuseAll(_ id: EnvelopeID, now: MeshInstant) {
        pauseAll(now: now)
        move(id, to: .queued, now: now)
    }

    /// Waits before anything is sent.
    mutating func pauseAll(now: MeshInstant) {
        guard pause <= now else { return }
        pause = now.advanced(by: fullBackoff.next())
    }

    /// Lets an envelope go that the hub has not got from another gateway.
    mutating func proceed(_ id: EnvelopeID, now: MeshInstant) { move(id, to: .queued, now: now) }

    /// Repeats an envelope that was not answered, a few times; then it waits in the store.
    mutating func timeOut(_ id: EnvelopeID, now: MeshInstant) {
        guard let upload = uploads[id] else { return }
        window = max(window / 2, GatewayLimits.leastWindowByteCount)
        guard upload.sendCount > GatewayLimits.repeatCount else { return move(id, to: .queued, now: now) }
        remove(id, now: now)
        leave(until: now.advanced(by: GatewayLimits.longestFullWait))
    }

    /// Forgets what is under way, as the connection has ended.
    ///
    /// The envelopes acknowledged last go again.
    mutating func disconnect(now: MeshInstant) {
        clear(now: now)
        let certain = now.advanced(by: .zero - GatewayLimits.acknowledgedTime)
        acknowledged.changeAll { Acknowledged(time: $0.time, isDone: $0.isDone && $0.time < certain) }
    }

    /// Lets everything go again, as the hub has lost mail.
    mutating func forgetAcknowledged(now: MeshInstant) {
        acknowledged.changeAll { Acknowledged(time: $0.time, isDone: false) }
        startReading(now: now)
    }

    // MARK: - Details

    /// Notes that mail was left in the store.
    private mutating func leave(until time: MeshInstant) { leftUntil = min(leftUntil ?? time, time) }

    private mutating func clear(now: MeshInstant) {
        order.removeAll(now: now)
        (uploads, byCause) = ([:], [:])
        (looks, delays, shares) = (SortedSet(), SortedSet(), LinkShares())
        (byteCount, openCount, openByteCount) = (0, 0, 0)
    }

    /// Makes room in a full queue at the expense of the link with most; returns whether there is room.
    private mutating func makeRoom(for letter: FarLetter, from link: LinkID?, now: MeshInstant) -> Bool {
        while !hasRoom(for: letter) {
            leave(until: now)
            guard let turn = shares.surplus(for: link) else { return false }
            remove(turn.value, now: now)
        }
        return true
    }

    private func hasRoom(for letter: FarLetter) -> Bool {
        count < countLimit && byteCount + letter.byteCount <= byteLimit
    }

    /// Ends the delays whose time is over.
    private mutating func wake(now: MeshInstant) {
        while let delay = delays.first, delay.key <= now {
            move(delay.value, to: uploads[delay.value]?.looks == true ? .looking : .queued, now: now)
        }
    }

    /// Notes that an envelope is sent, and returns it with the life that is left; nil if its life is over.
    private mutating func send(_ id: EnvelopeID, now: MeshInstant) -> Envelope? {
        guard let upload = uploads[id] else { return nil }
        var envelope = upload.letter.envelope
        let ticks = upload.since.duration(to: now) / .seconds(10)
        guard Double(envelope.life) > ticks else {
            remove(id, now: now)
            return nil
        }
        envelope.life -= UInt16(max(0, ticks))
        uploads[id]?.sendCount += 1
        move(id, to: .open, now: now)
        return envelope
    }

    private mutating func move(_ id: EnvelopeID, to place: Place, now: MeshInstant) {
        guard var upload = uploads[id] else { return }
        exit(upload, id, now: now)
        upload.place = place
        uploads[id] = upload
        enter(upload, id, now: now)
    }

    private mutating func enter(_ upload: Upload, _ id: EnvelopeID, now: MeshInstant) {
        let turn = UploadOrder.Turn(key: upload.number, value: id)
        switch upload.place {
        case .delayed(let time): delays.insert(Keyed(key: time, value: id))
        case .looking: looks.insert(turn)
        case .queued: order.insert(turn, of: upload.link, now: now)
        case .open:
            openCount += 1
            openByteCount += upload.letter.byteCount
        }
        guard upload.place != .open, let link = upload.link else { return }
        shares.insert(Self.newestFirst(turn), of: link)
    }

    private mutating func exit(_ upload: Upload, _ id: EnvelopeID, now: MeshInstant) {
        let turn = UploadOrder.Turn(key: upload.number, value: id)
        switch upload.place {
        case .delayed(let time): delays.remove(Keyed(key: time, value: id))
        case .looking: looks.remove(turn)
        case .queued: order.remove(turn, of: upload.link, now: now)
        case .open:
            openCount -= 1
            openByteCount -= upload.letter.byteCount
        }
        guard upload.place != .open, let link = upload.link else { return }
        shares.remove(Self.newestFirst(turn), of: link)
    }

    private static func newestFirst(_ turn: UploadOrder.Turn) -> UploadOrder.Turn {
        UploadOrder.Turn(key: .max - turn.key, value: turn.value)
    }
}
