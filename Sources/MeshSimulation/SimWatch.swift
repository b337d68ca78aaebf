import MeshCore

/// The observations that a scenario of whole nodes makes in its network.
struct SimWatch: Sendable {
    /// The arrival of an envelope at a host.
    struct Delivery: Sendable {
        let host: Int
        let id: EnvelopeID
        let time: MeshInstant
        /// The labels of the way along which it was carried; nil for a post.
        var way: (to: PathLabel, from: PathLabel?)?
    }

    /// The deliveries that the scenario has not taken yet; nil if there is none to take them.
    var deliveries: [Delivery]?
    /// The labels that hosts have lost, and that the scenario has not taken yet.
    private var lostLabels: [(host: Int, label: PathLabel)] = []
    /// The envelopes that meshes have reported to their gateways, and that these have not taken yet; nil without gateways.
    var farReports: [(host: Int, far: FarEnvelope)]?
    /// For a host, the hostile host that hears all datagrams to it.
    var listeners: [Int: Int] = [:]
    /// The traffic to addresses that belong to no host, for the addresses that are watched.
    var traffic: [IPAddress: SimTraffic] = [:]
    /// The host whose real time is measured; nil for none, so that equal runs have equal results.
    var timedHost: Int?
    /// The real time for which the timed host has handled events.
    var handlingTime = Duration.zero

    /// Notes a delivery, if a scenario takes it.
    mutating func note(_ delivery: Delivery) { deliveries?.append(delivery) }

    /// Notes that a host has lost a label, if a scenario takes it.
    mutating func noteLoss(of label: PathLabel, by host: Int) {
        if deliveries != nil { lostLabels.append((host, label)) }
    }

    /// Takes the labels that hosts have lost.
    mutating func takeLostLabels() -> [(host: Int, label: PathLabel)] {
        defer { lostLabels = [] }
        return lostLabels
    }

    /// Takes the new reports to gateways; nil if there are none.
    mutating func takeFarReports() -> [(host: Int, far: FarEnvelope)]? {
        guard let taken = farReports, !taken.isEmpty else { return nil }
        farReports = []
        return taken
    }

    /// Takes the new deliveries.
    mutating func takeDeliveries() -> [Delivery] {
        guard let taken = deliveries, !taken.isEmpty else { return [] }
        deliveries = []
        return taken
    }
}
