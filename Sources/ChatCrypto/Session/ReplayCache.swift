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

        private static let version: UInt8 = 1

        init(flight: [UInt8], opened: OpenedFlight) {
            ephemeral = Array(flight.prefix(FirstFlight.ephemeralByteCount))
            flightHash = SHA256.hash(flight)
            prekeySequence = opened.prekey.bundle.sequence
            session = opened.secrets.sessionID
            peer = opened.sender.id
        }

        /// Shape: version 1 (1) ‖ ephemeral key (32) ‖ hash (32) ‖ prekey sequence (4) ‖ session (32) ‖ peer (32).
        func encoded() -> SecretBytes {
            var writer = SecretWriter()
            writer.append(integer: Self.version)
            writer.append(ephemeral + flightHash + prekeySequence.bigEndianBytes + session.bytes + peer.bytes)
            return writer.finish()
        }

        /// Reads what `encoded()` gave.
        init(decoding record: SecretBytes) throws(CryptoError) {
            var reader = SecretReader(record)
            guard reader.integer(UInt8.self) == Self.version, let ephemeral = reader.bytes(32),
                let flightHash = reader.bytes(32), let prekeySequence = reader.integer(UInt32.self),
                let session = reader.bytes(32).flatMap({ SessionID(bytes: $0) }),
                let peer = reader.bytes(32).flatMap({ PeerID(bytes: $0) }), reader.isAtEnd
            else { throw CryptoError(.malformed, "The record is no accepted flight.") }
            self.ephemeral = ephemeral
            self.flightHash = flightHash
            self.prekeySequence = prekeySequence
            self.session = session
            self.peer = peer
        }
    }

    private var entries: [[UInt8]: Entry] = [:]

    /// How many flights are remembered.
    var count: Int { entries.count }

    /// The entry of a flight's ephemeral key.
    subscript(ephemeral: [UInt8]) -> Entry? { entries[ephemeral] }

    /// Remembers a flight.
    mutating func insert(_ entry: Entry) {
        entries[entry.ephemeral] = entry
    }

    /// Forgets so many flights; returns them.
    mutating func remove(upTo count: Int) -> [Entry] {
        let removed = Array(entries.values.prefix(count))
        for entry in removed { entries[entry.ephemeral] = nil }
        return removed
    }

    /// Forgets flights of prekeys that are gone, as many as one step may; returns them.
    mutating func expire(keeping prekeys: PrekeyRing) -> [Entry] {
        let kept = Set(prekeys.prekeys.map(\.bundle.sequence))
        let due = entries.values.lazy.filter { !kept.contains($0.prekeySequence) }
        let expired = Array(due.prefix(SessionLimits.maximumExpiriesPerStep))
        for entry in expired { entries[entry.ephemeral] = nil }
        return expired
    }
}
