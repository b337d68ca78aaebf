import Bytes

/// The first flights that were accepted, so that none makes a second session, a restart notwithstanding.
///
/// An entry stays until the prekey of its flight is deleted, after which the flight opens no more. Source: PROTOCOL §7.
struct ReplayCache: Sendable {
    /// One accepted flight.
    struct Entry: Sendable {
        /// Shape: 32 bytes.
        let ephemeral: [UInt8]
        /// The hash of the whole flight: the same ephemeral key with other bytes is no repetition.
        let flightHash: [UInt8]
        let prekeySequence: UInt32
        let session: SessionID
        let peer: PeerID
        /// Whether its sender was not known when it was accepted.
        let isStrangers: Bool

        /// The versions of records, by whose flight it was.
        private static let strangersVersion: UInt8 = 1
        private static let knownVersion: UInt8 = 2

        init(flight: [UInt8], opened: OpenedFlight, isStrangers: Bool) {
            ephemeral = Array(flight.prefix(FirstFlight.ephemeralByteCount))
            flightHash = SHA256.hash(flight)
            prekeySequence = opened.prekey.bundle.sequence
            session = opened.secrets.sessionID
            peer = opened.sender.id
            self.isStrangers = isStrangers
        }

        /// Shape: version 1, or 2 if it is not a stranger's (1) ‖ ephemeral key (32) ‖ hash (32) ‖ prekey sequence (4) ‖
        /// session (32) ‖ peer (32).
        func encoded() -> SecretBytes {
            var writer = SecretWriter()
            writer.append(integer: isStrangers ? Self.strangersVersion : Self.knownVersion)
            writer.append(ephemeral + flightHash + prekeySequence.bigEndianBytes + session.bytes + peer.bytes)
            return writer.finish()
        }

        /// Reads what `encoded()` gave.
        init(decoding record: SecretBytes) throws(CryptoError) {
            var reader = SecretReader(record)
            guard let version = reader.integer(UInt8.self),
                [Self.strangersVersion, Self.knownVersion].contains(version), let ephemeral = reader.bytes(32),
                let flightHash = reader.bytes(32), let prekeySequence = reader.integer(UInt32.self),
                let session = reader.bytes(32).flatMap({ SessionID(bytes: $0) }),
                let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), reader.isAtEnd
            else { throw CryptoError(.malformed, "The record is no accepted flight.") }
            self.ephemeral = ephemeral
            self.flightHash = flightHash
            self.prekeySequence = prekeySequence
            self.session = session
            self.peer = peer
            isStrangers = version == Self.strangersVersion
        }
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// The number of flights under each prekey, of strangers and of each peer; none is zero.
    private var tallies: [UInt32: Tally] = [:]

    private struct Tally {
        var strangers = 0
        var peers: [PeerID: Int] = [:]
    }

    /// How many flights are remembered.
    var count: Int { entries.count }

    /// The number of strangers' flights that were accepted under a prekey.
    func strangerCount(under sequence: UInt32) -> Int { tallies[sequence]?.strangers ?? 0 }

    /// The number of a peer's flights that were accepted under a prekey.
    func count(of peer: PeerID, under sequence: UInt32) -> Int { tallies[sequence]?.peers[peer] ?? 0 }

    /// The entry of a flight's ephemeral key.
    subscript(ephemeral: [UInt8]) -> Entry? { entries[ephemeral] }

    /// Remembers a flight.
    mutating func insert(_ entry: Entry) {
        if let before = entries.updateValue(entry, forKey: entry.ephemeral) { tally(before, by: -1) }
        tally(entry, by: 1)
    }

    /// Forgets so many flights; returns them.
    mutating func remove(upTo count: Int) -> [Entry] {
        let removed = Array(entries.values.prefix(count))
        remove(removed)
        return removed
    }

    /// Forgets flights of prekeys that are gone, as many as one step may; returns them.
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
        if entry.isStrangers { tallies[sequence]?.strangers += step }
        if tallies[sequence]?.peers.isEmpty == true { tallies[sequence] = nil }
    }
}
