import Bytes
import ChatCrypto
import MeshCore

/// The ways to peers, along which messages and receipts go instead of being posted to everybody.
///
/// A post of a peer opens a way to them: its trail. They learn of this end by the own label in the first answer. A
/// carried message must be confirmed within a time that the round trip decides. Else the way has ended, and the messages
/// under way are sealed again and posted. Receipts for groups are confirmed by posts, later, and end no way. Only posts
/// open a way again.
/// Invariant: `carried`, `deadlines` and the `envelopes` of all ways have the same envelopes.
/// Source: PROTOCOL §10 content and receipts.
struct Ways: Sendable {
    /// The way to one peer.
    private struct Way: Sendable {
        /// The label of the peer.
        var label: PathLabel
        /// The label of this end.
        var own: PathLabel
        /// Whether the peer has used the label of this end.
        var isAnswered: Bool
        /// The time until which relays remember the label of the peer.
        var until: MeshInstant
        /// The time from sending a message to its receipt.
        var roundTrip: Duration?
        /// The envelopes under way, whose receipts or releases are missing.
        var envelopes: Set<EnvelopeID> = []
    }

    /// The time at which an envelope must be confirmed.
    private struct Deadline: Comparable, Sendable {
        let instant: MeshInstant
        let envelope: EnvelopeID

        static func < (one: Deadline, other: Deadline) -> Bool {
            (one.instant, one.envelope) < (other.instant, other.envelope)
        }
    }

    /// An envelope under way.
    private struct Carried: Sendable {
        let peer: PeerID
        let sentAt: MeshInstant
        let deadline: Deadline
        /// Whether it has receipts for groups alone.
        let isGrouped: Bool
    }

    private var ways: [PeerID: Way] = [:]
    private var labels: [PathLabel: PeerID] = [:]
    private var carried: [EnvelopeID: Carried] = [:]
    private var deadlines = SortedSet<Deadline>()

    /// The time by which the next receipt must come.
    var nextDeadline: MeshInstant { deadlines.first?.instant ?? .distantFuture }

    /// The envelopes under way, whose receipts or releases are missing.
    var underWay: [EnvelopeID] { deadlines.map(\.envelope) }

    /// Returns whether a way to a peer is open.
    func isOpen(to peer: PeerID, at now: MeshInstant) -> Bool { ways[peer].map { $0.until > now } ?? false }

    /// Returns whether a way to a peer has room for another envelope that must be confirmed.
    ///
    /// Receipts for groups, which wait for long, have places of their own.
    func hasRoom(to peer: PeerID, isGrouped: Bool = false) -> Bool {
        let count = ways[peer]?.envelopes.count { carried[$0]?.isGrouped == isGrouped }
        return count ?? 0 < ChatLimits.wayCapacity
    }

    // MARK: - Opening

    /// Takes the trail of a peer's post for the way to them, in place of the one before.
    mutating func follow(_ trail: PathLabel, to peer: PeerID, at now: MeshInstant) {
        set(trail, of: peer, own: .random(), isAnswered: false, until: now.advanced(by: ChatLimits.trailLife))
    }

    /// Notes that an envelope of a peer came along their way to this node.
    ///
    /// - Parameters:
    ///   - label: The label of the peer, if the envelope names it.
    ///   - own: The label of this end that it came to.
    mutating func note(_ label: PathLabel?, of peer: PeerID, at own: PathLabel, now: MeshInstant) {
        if let label {
            set(label, of: peer, own: own, isAnswered: true, until: now.advanced(by: ChatLimits.wayLife))
        } else if ways[peer]?.own == own {
            ways[peer]?.isAnswered = true
        }
    }

    private mutating func set(
        _ label: PathLabel,
        of peer: PeerID,
        own: PathLabel,
        isAnswered: Bool,
        until: MeshInstant
    ) {
        guard ways[peer] != nil || hasRoomForWay() else { return }
        var way = ways[peer] ?? Way(label: label, own: own, isAnswered: isAnswered, until: until)
        labels[way.label] = nil
        (way.label, way.own, way.isAnswered, way.until) = (label, own, isAnswered, until)
        ways[peer] = way
        labels[label] = peer
    }

    /// Returns whether there is room for another way, if need be in place of the first that relays forget.
    ///
    /// A way with envelopes under way stays.
    private mutating func hasRoomForWay() -> Bool {
        guard ways.count >= ChatLimits.wayCount else { return true }
        let first = ways.filter { $0.value.envelopes.isEmpty }
            .min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
        if let first { _ = end(to: first.key) }
        return first != nil
    }

    // MARK: - Carrying

    /// Builds the message that carries an envelope to a peer; nil if there is no way, or the envelope is too large.
    mutating func carry(_ envelope: Envelope, to peer: PeerID, at now: MeshInstant) -> PathMessage? {
        let payload = envelope.encoded()
        guard let way = ways[peer], way.until > now, payload.count <= PathMessage.maximumEnvelopeByteCount else {
            return nil
        }
        ways[peer]?.until = now.advanced(by: ChatLimits.wayLife)
        let from = way.isAnswered ? nil : way.own
        return PathMessage(to: way.label, from: from, hops: .random(in: 0...7), isEnvelope: true, payload: payload)
    }

    /// Notes that an envelope is under way to a peer until its receipt or release comes.
    ///
    /// - Parameter isGrouped: Whether it has receipts for groups. Many members sent theirs in the same moment, and so have
    ///   patience for different times.
    mutating func expectReceipt(
        for envelope: EnvelopeID,
        from peer: PeerID,
        at now: MeshInstant,
        isGrouped: Bool = false
    ) {
        guard let way = ways[peer] else { return }
        let usual = way.roundTrip.map { min(max($0 * 4, ChatLimits.leastPatience), ChatLimits.wayPatience) }
        let long = isGrouped ? ChatLimits.trailPatience * Double.random(in: 1...1.25) : nil
        let instant = now.advanced(by: long ?? usual ?? ChatLimits.firstPatience)
        let deadline = Deadline(instant: instant, envelope: envelope)
        carried[envelope] = Carried(peer: peer, sentAt: now, deadline: deadline, isGrouped: isGrouped)
        deadlines.insert(deadline)
        ways[peer]?.envelopes.insert(envelope)
    }

    /// Returns whether an envelope is under way.
    func isUnderWay(_ envelope: EnvelopeID) -> Bool { carried[envelope] != nil }

    /// Notes that the receipt or release for an envelope came; returns whether it was under way.
    mutating func confirm(_ envelope: EnvelopeID, at now: MeshInstant) -> Bool {
        guard let entry = carried[envelope] else { return false }
        forget(envelope)
        if !entry.isGrouped { ways[entry.peer]?.roundTrip = entry.sentAt.duration(to: now) }
        return true
    }

    /// Forgets an envelope that need not be confirmed any more.
    mutating func forget(_ envelope: EnvelopeID) {
        guard let entry = carried.removeValue(forKey: envelope) else { return }
        deadlines.remove(entry.deadline)
        ways[entry.peer]?.envelopes.remove(envelope)
    }

    // MARK: - Ending

    /// Ends the way to a label; returns the peer with the envelopes that were under way.
    mutating func lose(_ label: PathLabel) -> (peer: PeerID, envelopes: [EnvelopeID])? {
        labels[label].map { ($0, end(to: $0)) }
    }

    /// Ends the ways whose peers have confirmed nothing in time; returns them with the envelopes that were under way, and
    /// the receipts for groups that were not confirmed.
    mutating func takeSilent(at now: MeshInstant) -> [(peer: PeerID, envelopes: [EnvelopeID])] {
        var silent: [(PeerID, [EnvelopeID])] = []
        while let first = deadlines.first, first.instant <= now, let entry = carried[first.envelope] {
            if entry.isGrouped {
                forget(first.envelope)
                silent.append((entry.peer, [first.envelope]))
            } else {
                silent.append((entry.peer, end(to: entry.peer)))
            }
        }
        return silent
    }

    /// Ends all ways; returns those with envelopes that were under way.
    mutating func takeAll() -> [(peer: PeerID, envelopes: [EnvelopeID])] {
        ways.keys.sorted().map { ($0, end(to: $0)) }.filter { !$0.1.isEmpty }
    }

    private mutating func end(to peer: PeerID) -> [EnvelopeID] {
        if let way = ways[peer] { labels[way.label] = nil }
        let envelopes = (ways.removeValue(forKey: peer)?.envelopes ?? []).sorted()
        for envelope in envelopes { forget(envelope) }
        return envelopes
    }
}
