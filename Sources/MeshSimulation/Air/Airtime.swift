/// The time for which datagrams have taken a shared channel, by cause.
public struct Airtime: Sendable, Equatable {
    /// The purpose of a datagram.
    public enum Cause: String, Sendable, CaseIterable {
        /// Beacons, to groups and to single nodes.
        case beacon
        /// The datagrams that open links.
        case handshake
        /// The datagrams of open links: envelopes, acknowledgements, statuses, stores that are compared, paths.
        case link

        /// The cause of a datagram.
        ///
        /// Source: PROTOCOL §3.1 and §4, the first bytes of datagrams.
        init(of datagram: [UInt8]) {
            switch datagram.first ?? 0 {
            case UInt8(ascii: "E"): self = .beacon
            case 0x10...0x12: self = .handshake
            default: self = .link
            }
        }
    }

    private var times: [Cause: Duration] = [:]

    /// The time of one cause.
    public subscript(cause: Cause) -> Duration { times[cause] ?? .zero }

    /// The time of all causes.
    public var total: Duration { times.values.reduce(.zero, +) }

    mutating func add(_ time: Duration, of cause: Cause) { times[cause, default: .zero] += time }

    /// Subtracts an earlier time of the same channel.
    public static func - (later: Airtime, earlier: Airtime) -> Airtime {
        var rest = later
        for (cause, time) in earlier.times { rest.times[cause] = later[cause] == time ? nil : later[cause] - time }
        return rest
    }
}
