/// The packets that arrived, and the part of this information that the peer still needs.
struct ReceivedPackets {
    /// The time after which the peer has received the acknowledgement of a packet often enough.
    private static let acknowledgedTime = Duration.milliseconds(500)

    private let configuration: LinkConfiguration
    private var window = ReplayWindow(count: LinkProtocol.replayWindowCount)
    private var largestEliciting: (number: UInt64, at: MeshInstant)?
    private var elicitingCount = 0
    /// The largest number at two times, the earlier at least `acknowledgedTime` ago.
    private var acknowledgedUpTo = (earlier: UInt64(0), later: UInt64(0), since: MeshInstant.zero)
    /// The latest time at which an acknowledgement is due.
    private(set) var deadline = MeshInstant.distantFuture

    init(configuration: LinkConfiguration) {
        self.configuration = configuration
    }

    /// The largest number that arrived.
    var largest: UInt64? { window.largest }

    /// Whether there is something to acknowledge, due or not.
    var hasUnacknowledged: Bool { elicitingCount > 0 }

    /// Returns whether the packet has already arrived, or is too old to check.
    func contains(_ number: UInt64) -> Bool { window.contains(number) }

    /// Records a packet that requests no acknowledgement, or must not get one.
    mutating func insert(_ number: UInt64) {
        window.insert(number)
    }

    /// Records a packet that requests an acknowledgement, as soon as possible if it is urgent.
    ///
    /// - Parameter delay: The time for which acknowledgements that are urgent wait too.
    mutating func insert(eliciting number: UInt64, isUrgent: Bool, delay: Duration, now: MeshInstant) {
        window.insert(number)
        if number >= largestEliciting?.number ?? 0 { largestEliciting = (number, now) }
        elicitingCount += 1
        let isDue = elicitingCount >= configuration.acknowledgementPacketCount
        let wait = isUrgent ? delay : max(delay, configuration.acknowledgementDelay)
        deadline = min(deadline, isDue ? now : now.advanced(by: wait))
        if acknowledgedUpTo.since.advanced(by: Self.acknowledgedTime) <= now {
            acknowledgedUpTo = (acknowledgedUpTo.later, largestEliciting?.number ?? 0, now)
        }
    }

    /// Returns the acknowledgement to send, which is then no longer due; nil if nothing arrived.
    ///
    /// It reaches back to all packets whose acknowledgement the peer may not have received.
    mutating func takeAcknowledgement(now: MeshInstant) -> Frame.Acknowledgement? {
        guard hasUnacknowledged, let largestEliciting else { return nil }
        elicitingCount = 0
        deadline = .distantFuture
        let waited = largestEliciting.at.duration(to: now).wholeNanoseconds / 1000
        let reach = largestEliciting.number - min(acknowledgedUpTo.earlier, largestEliciting.number)
        let byteCount = min(reach / 8 + 1, UInt64(LinkProtocol.maximumBitmapByteCount))
        return Frame.Acknowledgement(
            lowLargest: UInt32(truncatingIfNeeded: largestEliciting.number),
            delay: UInt16(clamping: waited),
            bitmap: window.bitmap(below: largestEliciting.number, maximumByteCount: Int(byteCount))
        )
    }
}
