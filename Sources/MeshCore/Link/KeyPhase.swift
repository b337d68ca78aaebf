/// The key that seals the packets of one direction.
///
/// Source: PROTOCOL §3.2.
struct KeyPhase {
    /// The number of key changes.
    private(set) var phase: UInt64 = 0
    /// The lowest packet number known to belong to the phase.
    private(set) var firstNumber: UInt64 = 0
    private(set) var since: MeshInstant

    init(since: MeshInstant) {
        self.since = since
    }

    /// Begins the next phase with the packet `number`.
    mutating func advance(at number: UInt64, now: MeshInstant) {
        phase += 1
        firstNumber = number
        since = now
    }

    /// Returns the phase of a received packet, derived from its phase bit and its number; nil if there is none.
    func phase(bit: UInt64, number: UInt64) -> UInt64? {
        guard phase & 1 != bit else { return phase }
        guard number < firstNumber else { return phase + 1 }
        return phase > 0 ? phase - 1 : nil
    }

    /// Records that a packet of `phase` authenticated.
    mutating func confirm(_ phase: UInt64, number: UInt64, now: MeshInstant) {
        if phase > self.phase {
            advance(at: number, now: now)
        } else if phase == self.phase {
            firstNumber = min(firstNumber, number)
        }
    }
}
