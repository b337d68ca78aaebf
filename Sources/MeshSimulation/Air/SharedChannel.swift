/// One radio channel with an access point, as in a hall with one Wi-Fi network.
///
/// All hosts of a segment share its time: while one datagram is on the air, all others wait. A datagram to one host goes
/// to the access point first, and from there to the host, so it takes the channel twice. A multicast takes it once, at
/// the basic rate. The air carries datagrams in the order in which they came. Not modelled: power saving of receivers,
/// stations that do not hear each other, bursts of noise.
public struct SharedChannel: Sendable, Equatable {
    /// The part of the time of a unicast that does not depend on its size: gaps, preamble, acknowledgement.
    public var unicastOverhead: Duration = .microseconds(110)
    /// The rate of unicasts, at least 1.
    ///
    /// Units: bits per second.
    public var unicastRate = 86_000_000
    /// The part of the time of a multicast that does not depend on its size.
    public var multicastOverhead: Duration = .microseconds(270)
    /// The rate of multicasts, at least 1, which every receiver has to understand.
    ///
    /// Units: bits per second.
    public var basicRate = 6_000_000
    /// The fraction of transmissions of a unicast that are lost; each is repeated at once, which takes time.
    public var unicastLoss = 0.1
    /// The largest number of repetitions of a unicast.
    public var retryLimit = 8
    /// The fraction of multicasts that a receiver loses; nobody repeats them.
    public var multicastLoss = 0.05
    /// The largest number of datagrams that wait in one host.
    public var stationQueueLimit = 128
    /// The largest number of datagrams that wait in the access point.
    public var accessPointQueueLimit = 512
    /// Whether the access point passes datagrams from one host to another.
    ///
    /// Networks for guests often do not ("client isolation").
    public var passesUnicasts = true

    /// Creates a channel with the values of a usual one.
    public init() {}

    /// The time that one transmission of a unicast takes, on one of its two ways.
    func unicastTime(byteCount: Int) -> Duration {
        unicastOverhead + Self.time(byteCount, at: unicastRate)
    }

    /// The time that a multicast takes.
    func multicastTime(byteCount: Int) -> Duration {
        multicastOverhead + Self.time(byteCount, at: basicRate)
    }

    private static func time(_ byteCount: Int, at rate: Int) -> Duration {
        .nanoseconds(Int64(byteCount) * 8 * 1_000_000_000 / Int64(max(1, rate)))
    }
}
