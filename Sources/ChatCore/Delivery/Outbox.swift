package import ChatCrypto
import MeshCore

/// What has been written and not yet receipted: messages, and this node's own receipts.
///
/// Contents and envelopes stay in the store; here is only what finding and ordering them needs.
/// Invariant: an entry is either waiting (in the order it was written) or in flight (it has an envelope).
package struct Outbox: Sendable {
    package struct Entry: Sendable {
        let id: MessageID
        let peer: PeerID
        /// Counts up in the order of writing.
        let number: UInt64
        let isReceipt: Bool
        /// What a member of a group is handed, which no receipt names: like a receipt it waits for its release.
        var isNote = false
        /// The identity that it is sealed by, counted from 0.
        var generation: UInt32 = 0
        let createdAt: UInt64
        var sealedAt: UInt64 = 0
        /// Units: milliseconds since 1970 when its files were last spread; 0 if it has none.
        var spreadAt: UInt64 = 0
        var envelope: EnvelopeID?
        /// The peer has asked for a file of it, so it was opened.
        var isOpened = false
        var releaseHash: [UInt8] = []
        var status = DeliveryStatus.queued

        /// Whether people wrote it.
        var isMessage: Bool { !isReceipt && !isNote }
    }

    package private(set) var entries: [MessageID: Entry] = [:]
    private var waiting: [PeerID: [MessageID]] = [:]
    private var inFlight: [PeerID: Int] = [:]
    private var byEnvelope: [EnvelopeID: MessageID] = [:]
    /// Own receipts and notes alone: a message's release tells its author nothing.
    private var byReleaseHash: [[UInt8]: MessageID] = [:]

    /// Messages without receipt; neither this node's own receipts nor notes are counted.
    package private(set) var messageCount = 0

    /// Notes for members of groups that were not released yet.
    package private(set) var noteCount = 0

    /// The number of the next entry.
    private(set) var nextNumber: UInt64 = 1

    /// All entries in the order they were written.
    var inOrder: [Entry] { entries.values.sorted { $0.number < $1.number } }

    /// Peers with something to seal, in order.
    var waitingPeers: [PeerID] { waiting.keys.sorted() }

    subscript(id: MessageID) -> Entry? { entries[id] }

    func entry(envelope: EnvelopeID) -> Entry? {
        byEnvelope[envelope].flatMap { entries[$0] }
    }

    /// The receipt or note with this release.
    func receipt(releaseHash: [UInt8]) -> Entry? {
        byReleaseHash[releaseHash].flatMap { entries[$0] }
    }

    func inFlightCount(to peer: PeerID) -> Int {
        inFlight[peer] ?? 0
    }

    /// The first that waits for `peer`.
    func firstWaiting(for peer: PeerID) -> MessageID? {
        waiting[peer]?.first
    }

    mutating func add(_ entry: Entry) {
        entries[entry.id] = entry
        nextNumber = max(nextNumber, entry.number + 1)
        if entry.isMessage { messageCount += 1 }
        if entry.isNote { noteCount += 1 }
        if let envelope = entry.envelope {
            index(entry, envelope)
        } else {
            waiting[entry.peer, default: []].append(entry.id)
        }
    }

    mutating func markSealed(_ id: MessageID, as envelope: EnvelopeID, releaseHash: [UInt8], at wall: UInt64) {
        guard var entry = entries[id] else { return }
        unindex(entry)
        entry.sealedAt = wall
        entry.envelope = envelope
        entry.releaseHash = releaseHash
        entries[id] = entry
        index(entry, envelope)
    }

    /// Puts an entry that was in flight back among those that wait, before all written later.
    mutating func markWaiting(_ id: MessageID) {
        guard var entry = entries[id], entry.envelope != nil else { return }
        unindex(entry)
        entry.envelope = nil
        entries[id] = entry
        waiting[entry.peer, default: []].append(id)
        let numbers = entries
        waiting[entry.peer]?.sort { (numbers[$0]?.number ?? 0) < (numbers[$1]?.number ?? 0) }
    }

    mutating func markSpread(_ id: MessageID, at wall: UInt64) {
        entries[id]?.spreadAt = wall
    }

    /// Notes that the peer has asked for a file of a message, so that this one need not be sealed anew.
    package mutating func markOpened(_ id: MessageID) {
        entries[id]?.isOpened = true
    }

    /// Moves the status forward; false if it has been there already.
    mutating func advance(_ id: MessageID, to status: DeliveryStatus) -> Bool {
        guard let entry = entries[id], entry.status.rank < status.rank else { return false }
        entries[id]?.status = status
        return true
    }

    mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if entry.isMessage { messageCount -= 1 }
        if entry.isNote { noteCount -= 1 }
        unindex(entry)
    }

    private mutating func index(_ entry: Entry, _ envelope: EnvelopeID) {
        byEnvelope[envelope] = entry.id
        if !entry.isMessage { byReleaseHash[entry.releaseHash] = entry.id }
        inFlight[entry.peer, default: 0] += 1
    }

    private mutating func unindex(_ entry: Entry) {
        guard let envelope = entry.envelope else {
            if let index = waiting[entry.peer]?.firstIndex(of: entry.id) { waiting[entry.peer]?.remove(at: index) }
            if waiting[entry.peer]?.isEmpty == true { waiting[entry.peer] = nil }
            return
        }
        byEnvelope[envelope] = nil
        if !entry.isMessage { byReleaseHash[entry.releaseHash] = nil }
        inFlight[entry.peer, default: 1] -= 1
        if inFlight[entry.peer] == 0 { inFlight[entry.peer] = nil }
    }
}
