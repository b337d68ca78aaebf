import MeshCore
import NIOCore

/// A node's tie to one stream: the stream, or the wait before it is opened again.
///
/// Invariant: the core knows each place as a host of its own, on an interface of its own, and its endpoint is the same
/// for each stream there. So the limits for hosts also hold for whoever opens one stream after the other.
struct StreamPlace {
    /// The number of a place: below `StreamLimits.openedCount` for streams that this node opens.
    typealias Number = UInt32

    /// The first 8 bytes of the addresses: a prefix from which nothing comes and that leads nowhere.
    ///
    /// Source: RFC 6666.
    private static let prefix: [UInt8] = [0x01, 0, 0, 0, 0, 0, 0, 0]

    /// The carrier by which this node opens the stream; nil if another node opened it.
    let carrier: Carrier?
    let endpoint: Endpoint
    /// The number of the latest opening; reports of older ones are stale.
    var opening: UInt64 = 0
    var channel: (any Channel)?
    var program: CarrierProgram?
    var queue = StreamQueue()
    /// The time at which the stream was opened.
    var since = MeshInstant.zero
    /// The time at which a link was last seen on the stream, or at which it was opened.
    var linkSeen = MeshInstant.zero
    /// Whether the stream has had a link.
    var hadLink = false
    /// Whether a datagram has come by the stream.
    var hasReceived = false
    var backoff = Backoff(first: StreamLimits.firstWait, longest: StreamLimits.longestWait)
    var retry: Scheduled<Void>?

    init(_ number: Number, carrier: Carrier?) {
        self.carrier = carrier
        endpoint = Self.endpoint(number)
    }

    /// The time for which the stream may be without a link.
    ///
    /// One that had a link is dead, as after sleep; one that never had may wait for a person's password.
    var patience: Duration {
        carrier == nil || hadLink ? StreamLimits.acceptedPatience : StreamLimits.openedPatience
    }

    /// Returns the endpoint that stands for the other end of the stream at a place.
    private static func endpoint(_ number: Number) -> Endpoint {
        let ending = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
        guard let address = IPAddress(bytes: prefix + ending) else { preconditionFailure("16 bytes are an address") }
        return Endpoint(interface: .stream(number), address: address, port: 0)
    }
}
