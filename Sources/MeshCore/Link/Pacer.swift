/// Spreads the packets of one link over time, with bursts of 4 packets and 2 ms.
///
/// Source: PROTOCOL §3.4.
struct Pacer {
    /// What may leave together besides the packets: timers and processors are late by as much.
    static let burst = Duration.milliseconds(2)
    /// Units: packets that may always leave together.
    static let burstPacketCount = 4
    /// Packets that had to wait leave together as many as are due in this time, so that not each needs a timer.
    static let quantum = Duration.milliseconds(1)

    private static let burstSeconds = seconds(burst)
    private static let quantumSeconds = seconds(quantum)
    private static let burstByteCount = Double(burstPacketCount * LinkProtocol.maximumDatagramByteCount)

    /// Units: bytes that may leave; below zero after the last packet let out.
    private var credit = Self.burstByteCount
    private var updatedAt = MeshInstant.zero

    /// Whether a packet may leave.
    func isOpen(pace: Double, now: MeshInstant) -> Bool {
        credit(pace: pace, now: now) >= 0
    }

    /// When waiting packets are to leave, if the pace stays.
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
