/// The number of envelopes that came by a link before they came by any other, with old ones counting less.
///
/// It is bounded, because a neighbour can write envelopes only to seem useful. Among those at the bound age decides.
///
/// Source: PROTOCOL §3.2.
struct FirstDeliveries: Sendable {
    /// The largest number.
    static let limit = 8

    private var count = 0
    private var halvedAt: MeshInstant

    init(now: MeshInstant) { halvedAt = now }

    /// Counts an envelope.
    mutating func add(halfLife: Duration, now: MeshInstant) {
        let halvings = self.halvings(halfLife: halfLife, now: now)
        (count, halvedAt) = (min((count >> halvings) + 1, Self.limit), halvedAt.advanced(by: halfLife * halvings))
    }

    /// Returns the number, which halves at each end of a half-life.
    func value(halfLife: Duration, now: MeshInstant) -> Int { count >> halvings(halfLife: halfLife, now: now) }

    private func halvings(halfLife: Duration, now: MeshInstant) -> Int {
        Int(halvedAt.duration(to: now) / halfLife)
    }
}
