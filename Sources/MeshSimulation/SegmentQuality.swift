/// The effect of a segment on its datagrams.
///
/// With a rate the segment is a switch: datagrams to one host leave one after the other by that host's port. They wait
/// in a queue that drops new datagrams when it is full. With a channel it is a radio network whose hosts share the air.
public struct SegmentQuality: Sendable, Equatable {
    /// The shortest delay of a datagram.
    public var delay: Duration
    /// The largest additional delay.
    ///
    /// Every datagram draws its own, so jitter reorders datagrams.
    public var jitter: Duration
    /// The fraction of datagrams that are lost independently.
    public var loss: Double
    /// The additional loss in bursts; nil for none.
    public var burst: BurstLoss?
    /// The fraction of datagrams that arrive twice.
    public var duplication: Double = 0
    /// The fraction of datagrams that are held back for four delays.
    public var reordering: Double = 0
    /// The rate at which each host receives datagrams; nil if no datagram ever waits.
    ///
    /// Units: bytes per second.
    public var rate: Int?
    /// The largest number of datagrams that wait for a host.
    public var queueLimit = 100
    /// The largest IP packet.
    ///
    /// Larger packets are lost. Units: bytes.
    public var mtu = 1_500
    /// The radio channel that the hosts share; nil if nobody waits for others.
    ///
    /// The other values of this quality then concern datagrams that have left the air.
    public var channel: SharedChannel?
    /// Whether the segment carries multicast.
    ///
    /// Some wireless networks do not.
    public var carriesMulticast = true

    /// Creates a segment with this delay, jitter and loss, without other faults.
    public init(delay: Duration = .milliseconds(1), jitter: Duration = .zero, loss: Double = 0) {
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
    }
}

/// A loss that comes in bursts, by the Gilbert-Elliott model: a good state and a bad one.
///
/// On a segment with a rate, the state keeps changing while nothing is sent, as often as if full datagrams were sent.
/// Source: E. O. Elliott, "Estimates of error rates for codes on burst-noise channels", Bell System Technical Journal,
/// 1963.
public struct BurstLoss: Sendable, Equatable {
    /// The fraction of datagrams after which the good state turns bad.
    public var onset: Double
    /// The fraction of datagrams after which the bad state turns good.
    public var recovery: Double
    /// The fraction of datagrams that are lost in the bad state.
    public var loss: Double

    /// Creates a burst loss.
    public init(onset: Double, recovery: Double, loss: Double = 1) {
        self.onset = onset
        self.recovery = recovery
        self.loss = loss
    }
}
