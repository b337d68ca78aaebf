extension EnvelopeStore {
    /// Returns the envelopes of a kind whose bodies begin with one of these, in the order of arrival.
    package func envelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) -> [Envelope] {
        let found = entries.values.filter { entry in
            entry.envelope.kind == kind && beginnings.contains { entry.envelope.body.starts(with: $0) }
        }
        return found.sorted { $0.sequence < $1.sequence }.map(\.envelope)
    }

    /// The stored envelopes that concern gateways, in the order of arrival.
    var forGateways: [StoredEnvelope] {
        entries.values.filter(\.rule.isForGateways).sorted { $0.sequence < $1.sequence }
    }

    /// Returns whether there is room for another envelope that a gateway fetched: a quarter of the store, for chunks half
    /// of that.
    func hasRoomForFar(bodyByteCount: Int, _ rule: KindRule) -> Bool {
        let charge = max(Self.leastCharge, Envelope.headerByteCount + bodyByteCount)
        guard rule.importance != .chunk || farChunkCharge + charge <= limits.byteCount / 8 else { return false }
        return far.charge + charge <= limits.byteCount / 4 && far.count < limits.envelopeCount / 4
    }

    /// The approximate size of the records of a log.
    ///
    /// Units: bytes.
    var recordByteCount: Int {
        byteCount + entries.count * StoreLogFormat.heldByteCount
    }

    /// Notes that an envelope that is not stored was not passed on either.
    mutating func noteUnspread(_ shortID: UInt64) {
        if entries[shortID] == nil { seen.setUnspread(true, shortID) }
    }

    /// Returns whether an envelope that came is neither stored nor was passed on.
    ///
    /// If so, it counts as passed on from now on.
    mutating func takeUnspread(_ shortID: UInt64) -> Bool {
        guard entries[shortID] == nil, seen.isUnspread(shortID) else { return false }
        seen.setUnspread(false, shortID)
        return true
    }

    /// The life below which envelopes are no longer offered.
    package static let leastOfferedLife: Duration = .seconds(60)
}
