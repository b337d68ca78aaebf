/// A token bucket: so many at once, then so many a second.
///
/// It keeps the instant at which all that was taken is paid for; that may lie ahead by the price of a whole burst.
struct RateAllowance: Sendable {
    private let price: Duration
    private let burst: Duration
    private var paidAt = MeshInstant.zero

    init(rate: Int, burst: Int) {
        precondition(rate > 0 && burst > 0, "a rate of at least one")
        price = .seconds(1) / rate
        self.burst = price * burst
    }

    /// Takes one; false if none is left.
    mutating func take(now: MeshInstant) -> Bool {
        let next = max(paidAt, now).advanced(by: price)
        guard next <= now.advanced(by: burst) else { return false }
        paidAt = next
        return true
    }
}
