/// The pacer that spreads the packets of one link over time, with bursts of 4 packets and 2 ms.
///
/// Source: PROTOCOL §3.4.
struct Pacer {
    /// The additional time span of packets that may leave together, because timers and processors can be late by as
    /// much.
    static let burst = Duration.milliseconds(2)
    /// The number of packets that may always leave together.
    static let burstPacketCount = 4
    /// The time span of packets that leave together after waiting, so that not every packet needs a timer.
    static let quantum = Duration.milliseconds(1)

    private static let burstSeconds = seconds(burst)
    private static let quantumSeconds = seconds(quantum)
    private static let burstByteCount = Double(burstPacketCount * LinkProtocol.maximumDatagramByteCount)

    /// The size that may leave; below zero after the last allowed packet.
    ///
    /// Units: bytes.
    private var credit = Self.burstByteCount
    private var updatedAt = MeshInstant.zero

    /// Returns whether a packet may leave.
    func isOpen(pace: Double, now: MeshInstant) -> Bool {
        credit(pace: pace, now: now) >= 0
    }

    /// Returns the time at which waiting packets leave if the pace stays the same.
    func nextDeadline(pace: Double) -> MeshInstant {
        let wait = max(0, Self.quantumSeconds - credit / pace)
        return MeshInstant(nanoseconds: updatedAt.nanoseconds &+ UInt64(min(wait, 60) * 1e9) + 1)
    }

    /// Counts a packet that leaves.
    mutating func take(_ byteCount: Int, pace: Double, now: MeshInstant) {
        credit = credit(pace: pace, now: now) - Double(byteCount)
        updatedAt = now
    }

    private func credit(pace: Double, now: MeshInstant) -> Double {
        let elapsed = Double(now.nanoseconds &- updatedAt.nanoseconds) / 1e9
        return min(credit + elapsed * pace, Self.burstByteCount + Self.burstSeconds * pace)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1e9
    }
}
