/// Which packets came, and what the peer is still to be told of that.
struct Arrivals {
    /// After this time the peer has been told of a packet often enough.
    private static let toldTime = Duration.milliseconds(500)

    private let configuration: LinkConfiguration
    private var window = ReplayWindow(count: LinkProtocol.replayWindowCount)
    private var largestEliciting: (number: UInt64, at: MeshInstant)?
    private var elicitingCount = 0
    /// The largest number at two times, the earlier at least `toldTime` ago.
    private var toldUpTo = (earlier: UInt64(0), later: UInt64(0), since: MeshInstant.zero)
    /// When an acknowledgement is due at the latest.
    private(set) var deadline = MeshInstant.distantFuture

    init(configuration: LinkConfiguration) {
        self.configuration = configuration
    }

    /// The largest number that came.
    var largest: UInt64? { window.largest }

    /// Whether there is something to tell, due or not.
    var hasNews: Bool { elicitingCount > 0 }

    /// Whether the packet came already, or is too old to tell.
    func contains(_ number: UInt64) -> Bool { window.contains(number) }

    /// Notes a packet that asks for no acknowledgement, or must not get one.
    mutating func insert(_ number: UInt64) {
        window.insert(number)
    }

    /// Notes a packet that asks for an acknowledgement, at once if it is urgent.
    mutating func insert(eliciting number: UInt64, isUrgent: Bool, now: MeshInstant) {
        window.insert(number)
        if number >= largestEliciting?.number ?? 0 { largestEliciting = (number, now) }
        elicitingCount += 1
        let isDue = isUrgent || elicitingCount >= configuration.acknowledgementPacketCount
        deadline = min(deadline, isDue ? now : now.advanced(by: configuration.acknowledgementDelay))
        if toldUpTo.since.advanced(by: Self.toldTime) <= now {
            toldUpTo = (toldUpTo.later, largestEliciting?.number ?? 0, now)
        }
    }

    /// The acknowledgement to send, which is not due any more then; nil if nothing came.
    ///
    /// It reaches back as far as packets came that the peer may not have been told of.
    mutating func takeAcknowledgement(now: MeshInstant) -> Frame.Acknowledgement? {
        guard hasNews, let largestEliciting else { return nil }
        elicitingCount = 0
        deadline = .distantFuture
        let waited = largestEliciting.at.duration(to: now).wholeNanoseconds / 1000
        let reach = largestEliciting.number - min(toldUpTo.earlier, largestEliciting.number)
        let byteCount = min(reach / 8 + 1, UInt64(LinkProtocol.maximumBitmapByteCount))
        return Frame.Acknowledgement(
            lowLargest: UInt32(truncatingIfNeeded: largestEliciting.number),
            delay: UInt16(clamping: waited),
            bitmap: window.bitmap(below: largestEliciting.number, maximumByteCount: Int(byteCount))
        )
    }
}
