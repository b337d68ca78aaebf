/// What a segment does to the datagrams on it.
///
/// With a rate it is a switch: what goes to one host leaves one after the other by that host's port, and waits in a
/// queue that drops what comes when it is full. Not modelled: collisions on a shared medium.
public struct SegmentQuality: Sendable, Equatable {
    /// How long a datagram takes at least.
    public var delay: Duration
    /// How much longer it may take; every datagram draws anew, so jitter reorders.
    public var jitter: Duration
    /// The part of datagrams lost, each for itself.
    public var loss: Double
    /// Loss in bursts besides; nil for none.
    public var burst: BurstLoss?
    /// The part of datagrams that arrive twice.
    public var duplication: Double = 0
    /// The part of datagrams that are held back for four delays.
    public var reordering: Double = 0
    /// Units: bytes of datagrams a second that each host is reached at; nil if nothing ever waits.
    public var rate: Int?
    /// Units: datagrams that wait for a host at most.
    public var queueLimit = 100
    /// Units: bytes of an IP packet; larger ones are lost.
    public var mtu = 1_500
    /// Whether the segment carries multicast; some wireless networks do not.
    public var carriesMulticast = true

    /// Makes a segment with this delay and loss, without other faults.
    public init(delay: Duration = .milliseconds(1), jitter: Duration = .zero, loss: Double = 0) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
    }
}

/// Loss that comes in bursts, by the Gilbert-Elliott model: a good state and a bad one.
///
/// On a segment with a rate the state goes on turning while nothing is sent, as often as if full datagrams were.
/// Source: E. O. Elliott, "Estimates of error rates for codes on burst-noise channels", Bell System Technical
/// Journal, 1963.
public struct BurstLoss: Sendable, Equatable {
    /// The part of datagrams after which the good state turns bad.
    public var onset: Double
    /// The part of datagrams after which the bad state turns good.
    public var recovery: Double
    /// The part of datagrams lost in the bad state.
    public var loss: Double

    /// Makes a burst loss.
    public init(onset: Double, recovery: Double, loss: Double = 1) {
        self.onset = onset
        self.recovery = recovery
        self.loss = loss
    }
}
