/// The number of envelopes that came by a link before they came by any other, with old ones counting less.
///
/// Source: PROTOCOL §3.2.
struct FirstDeliveries: Sendable {
    private var count = 0
    private var halvedAt: MeshInstant

    init(now: MeshInstant) { halvedAt = now }

    /// Counts an envelope.
    mutating func add(halfLife: Duration, now: MeshInstant) {
        let halvings = self.halvings(halfLife: halfLife, now: now)
        (count, halvedAt) = ((count >> halvings) + 1, halvedAt.advanced(by: halfLife * halvings))
    }

    /// Returns the number, which halves at each end of a half-life.
    func value(halfLife: Duration, now: MeshInstant) -> Int { count >> halvings(halfLife: halfLife, now: now) }

    private func halvings(halfLife: Duration, now: MeshInstant) -> Int {
        Int(halvedAt.duration(to: now) / halfLife)
    }
}
