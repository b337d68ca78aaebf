import Bytes

/// The accepted prekey messages.
///
/// None of them can make a second session, even after a restart.
///
/// An entry stays until its prekey is deleted. After that, the prekey message no longer opens. Source: PROTOCOL §7.
struct ReplayCache: Sendable {
    /// One accepted prekey message.
    struct Entry: Sendable {
        /// The ephemeral key.
        ///
        /// Shape: 32 bytes.
        let ephemeral: [UInt8]
        /// The hash of the whole prekey message: the same ephemeral key with other bytes is not a repetition.
        let prekeyMessageHash: [UInt8]
        let prekeySequence: UInt32
        let session: SessionID
        let peer: PeerID
        /// Whether the sender was unknown at the time of acceptance.
        let isOfUnknownPeer: Bool

        /// The versions of records, which tell whether the sender was unknown.
        private static let unknownPeersVersion: UInt8 = 1
        private static let knownVersion: UInt8 = 2

        init(prekeyMessage: [UInt8], opened: OpenedPrekeyMessage, isOfUnknownPeer: Bool) {
            ephemeral = Array(prekeyMessage.prefix(PrekeyMessage.ephemeralByteCount))
            prekeyMessageHash = SHA256.hash(prekeyMessage)
            prekeySequence = opened.prekey.bundle.sequence
            session = opened.secrets.sessionID
            peer = opened.sender.id
            self.isOfUnknownPeer = isOfUnknownPeer
        }

        /// Encodes the entry.
        ///
        /// Shape: version 1, or 2 if the sender was known (1) ‖ ephemeral key (32) ‖ hash (32) ‖ prekey sequence (4) ‖
        /// session (32) ‖ peer (32).
        func encoded() -> SecretBytes {
            var writer = SecretWriter()
            writer.append(integer: isOfUnknownPeer ? Self.unknownPeersVersion : Self.knownVersion)
            writer.append(ephemeral + prekeyMessageHash + prekeySequence.bigEndianBytes + session.bytes + peer.bytes)
            return writer.finish()
        }

        /// Reads the output of `encoded()`.
        init(decoding record: SecretBytes) throws(CryptoError) {
            var reader = SecretReader(record)
            guard let version = reader.integer(UInt8.self),
                [Self.unknownPeersVersion, Self.knownVersion].contains(version), let ephemeral = reader.bytes(32),
                let prekeyMessageHash = reader.bytes(32), let prekeySequence = reader.integer(UInt32.self),
                let session = reader.bytes(32).flatMap({ SessionID(bytes: $0) }),
                let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), reader.isAtEnd
            else { throw CryptoError(.malformed, "The record is not an accepted prekey message.") }
            self.ephemeral = ephemeral
            self.prekeyMessageHash = prekeyMessageHash
            self.prekeySequence = prekeySequence
            self.session = session
            self.peer = peer
            isOfUnknownPeer = version == Self.unknownPeersVersion
        }
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// The number of entries under each prekey, of unknown senders and of each peer; no number is zero.
    private var tallies: [UInt32: Tally] = [:]

    private struct Tally {
        var unknownPeers = 0
        var peers: [PeerID: Int] = [:]
    }

    /// The number of entries.
    var count: Int { entries.count }

    /// The number of unknown senders' prekey messages that were accepted under a prekey.
    func unknownPeerCount(under sequence: UInt32) -> Int { tallies[sequence]?.unknownPeers ?? 0 }

    /// The number of a peer's prekey messages that were accepted under a prekey.
    func count(of peer: PeerID, under sequence: UInt32) -> Int { tallies[sequence]?.peers[peer] ?? 0 }

    /// The entry with an ephemeral key.
    subscript(ephemeral: [UInt8]) -> Entry? { entries[ephemeral] }

    /// Adds an entry.
    mutating func insert(_ entry: Entry) {
        if let before = entries.updateValue(entry, forKey: entry.ephemeral) { tally(before, by: -1) }
        tally(entry, by: 1)
    }

    /// Removes up to this number of entries and answers them.
    mutating func remove(upTo count: Int) -> [Entry] {
        let removed = Array(entries.values.prefix(count))
        remove(removed)
        return removed
    }

    /// Removes entries of deleted prekeys, up to the limit of one step, and answers them.
    mutating func expire(keeping prekeys: PrekeyRing) -> [Entry] {
        let kept = Set(prekeys.prekeys.map(\.bundle.sequence))
        let due = entries.values.lazy.filter { !kept.contains($0.prekeySequence) }
        let expired = Array(due.prefix(SessionLimits.maximumExpiriesPerStep))
        remove(expired)
        return expired
    }

    private mutating func remove(_ removed: [Entry]) {
        for entry in removed {
            entries[entry.ephemeral] = nil
            tally(entry, by: -1)
        }
    }

    private mutating func tally(_ entry: Entry, by step: Int) {
        let sequence = entry.prekeySequence
        let count = count(of: entry.peer, under: sequence) + step
        tallies[sequence, default: Tally()].peers[entry.peer] = count == 0 ? nil : count
        if entry.isOfUnknownPeer { tallies[sequence]?.unknownPeers += step }
        if tallies[sequence]?.peers.isEmpty == true { tallies[sequence] = nil }
    }
}
