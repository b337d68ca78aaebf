extension EnvelopeStore {
    /// Returns the envelopes of a kind whose bodies begin with one of these, in the order of arrival.
    package func envelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) -> [Envelope] {
        let found = entries.values.filter { entry in
            entry.envelope.kind == kind && beginnings.contains { entry.envelope.body.starts(with: $0) }
        }
        return found.sorted { $0.sequence < $1.sequence }.map(\.envelope)
    }
}
