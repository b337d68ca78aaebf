/// The time for which datagrams have taken a shared channel, by cause.
public struct Airtime: Sendable, Equatable {
    /// The purpose of a datagram.
    public enum Cause: String, Sendable, CaseIterable {
        /// Beacons, to groups and to single nodes.
        case beacon
        /// The datagrams that open links.
        case handshake
        /// Datagrams of links with acknowledgements, pings and path checks alone.
        case acknowledgement
        /// Statuses of components and stores.
        case status
        /// Envelopes that spread over the mesh.
        case post
        /// Announcements of envelopes, and requests for them.
        case announcement
        /// The comparison of stores.
        case comparing
        /// Payloads on paths, and live datagrams.
        case way
        /// Datagrams of links whose content the simulator cannot read.
        case link
    }

    private var times: [Cause: Duration] = [:]

    /// The time of one cause.
    public subscript(cause: Cause) -> Duration { times[cause] ?? .zero }

    /// The time of all causes.
    public var total: Duration { times.values.reduce(.zero, +) }

    mutating func add(_ time: Duration, of cause: Cause) { times[cause, default: .zero] += time }

    mutating func add(_ other: Airtime) { times.merge(other.times, uniquingKeysWith: +) }

    /// Subtracts an earlier time of the same channel.
    public static func - (later: Airtime, earlier: Airtime) -> Airtime {
        var rest = later
        for (cause, time) in earlier.times { rest.times[cause] = later[cause] == time ? nil : later[cause] - time }
        return rest
    }
}
