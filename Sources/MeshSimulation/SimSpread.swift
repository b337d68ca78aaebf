public import MeshCore

/// One envelope on its way through a simulated mesh, from its author to all hosts.
public struct SimSpread: Sendable, Equatable {
    /// The envelope's id.
    public let id: EnvelopeID
    /// The host that wrote the envelope.
    public let author: Int
    /// The time of submission.
    public let start: MeshInstant
    /// The number of deliveries to hosts other than the author.
    public internal(set) var arrivalCount = 0
}

/// The arrival of the first copy of an envelope at a host.
public struct SimArrival: Sendable, Equatable {
    /// The envelope's index in the spreads.
    public let spread: Int
    /// The host at which the copy arrived.
    public let host: Int
    /// The number of links that the copy crossed.
    public let hops: Int
    /// The time from submission to arrival.
    public let latency: Duration
}

/// The counters of the links of a simulated mesh.
public struct SimLinkCounters: Sendable, Equatable {
    /// First copies that arrived at hosts.
    public internal(set) var arrivals = 0
    /// Envelopes sent, including every resend.
    public internal(set) var transmissions = 0
    /// Ids announced, ids fetched and links pruned, including every resend.
    public internal(set) var control = 0
    /// Ids fetched because the tree did not deliver them in time.
    public internal(set) var grafts = 0
    /// Links that were asked to stop sending envelopes unasked.
    public internal(set) var prunes = 0
    /// Messages and statuses that compare stores.
    public internal(set) var comparisons = 0
    /// The drops of the routers, by reason.
    public internal(set) var drops: [DropReason: Int] = [:]

    /// The number of transmissions of an envelope per host that receives it.
    ///
    /// 1 is the minimum without loss.
    public var transmissionsPerArrival: Double { Double(transmissions) / Double(max(1, arrivals)) }
    /// The number of control messages per host that receives an envelope.
    public var controlPerArrival: Double { Double(control) / Double(max(1, arrivals)) }
}
