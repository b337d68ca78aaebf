public import MeshCore

/// One envelope on its way through a simulated mesh, from its author to everybody.
public struct SimSpread: Sendable, Equatable {
    /// Its name.
    public let id: EnvelopeID
    /// The host that wrote it.
    public let author: Int
    /// When it was submitted.
    public let start: MeshInstant
    /// How often it was delivered to hosts other than its author.
    public internal(set) var arrivalCount = 0
}

/// A first copy of an envelope that came to a host.
public struct SimArrival: Sendable, Equatable {
    /// The envelope, by its place among the spreads.
    public let spread: Int
    /// The host it came to.
    public let host: Int
    /// The hops it had behind it, this one included.
    public let hops: UInt8
    /// How long after its submission it came.
    public let latency: Duration
}

/// What went over the links of a simulated mesh.
public struct SimLinkCounters: Sendable, Equatable {
    /// First copies that came to hosts.
    public internal(set) var arrivals = 0
    /// Envelopes sent, each resend counted again.
    public internal(set) var transmissions = 0
    /// Ids announced, ids fetched and links pruned, each resend counted again.
    public internal(set) var control = 0
    /// Ids fetched, since the tree did not bring them in time.
    public internal(set) var grafts = 0
    /// Links told to send no more unasked.
    public internal(set) var prunes = 0
    /// Messages and statuses by which stores are compared.
    public internal(set) var comparisons = 0
    /// What routers dropped, by reason.
    public internal(set) var drops: [DropReason: Int] = [:]
    /// Links that routers asked to be ended for abuse.
    public internal(set) var bans = 0

    /// How many times an envelope is sent for each host that gets it; 1 is the least possible without loss.
    public var transmissionsPerArrival: Double { Double(transmissions) / Double(max(1, arrivals)) }
    /// How many control messages it takes for each host that gets an envelope.
    public var controlPerArrival: Double { Double(control) / Double(max(1, arrivals)) }
}
