import MeshCore

/// The results of one run's probes so far.
///
/// It takes every datagram and returns the answer to send.
///
/// Untrusted bytes never trap here. Datagrams that are neither a probe nor a beacon are ignored.
struct ProbeResults: Sendable {
    /// The largest number of remembered nodes.
    static let nodeLimit = 1_024
    /// The largest number of remembered other runs on each segment.
    static let unknownNodeLimit = 64
    /// The largest number of answered questions, so that no peer can make this run send without end.
    static let answerLimit = 256

    /// The sockets of a segment on which datagrams arrive.
    enum Port: Sendable {
        /// The socket of a group, on which beacons arrive.
        case group
        /// The group's address with the port of the links.
        ///
        /// A datagram that arrives here has passed the firewall's rules for links.
        case links
        /// The socket on which links run.
        case unicast
    }

    /// Another run on a segment.
    struct Other: Equatable, Sendable {
        var address: IPAddress
        var hasAsked = false
        var hasAnswered = false
    }

    /// The datagrams received on one segment.
    struct Segment: Equatable, Sendable {
        let prefixes: [Prefix]
        /// The source of this run's own datagrams.
        let own: Endpoint
        var hearsItself = false
        var hearsLinks = false
        var others: [UInt64: Other] = [:]

        func isOnLink(_ address: IPAddress) -> Bool {
            prefixes.contains { $0.contains(address) } || address.isLinkLocal
        }
    }

    /// A node and the source of its first beacon.
    struct Sighting: Equatable, Sendable {
        let beacon: BeaconSighting
        let source: Endpoint
    }

    /// The random number of this run; not 0.
    let id: UInt64
    private(set) var segments: [Segment] = []
    private(set) var nodes: [NodeID: Sighting] = [:]
    private var answerCount = 0

    init(id: UInt64) {
        self.id = id
    }

    /// Adds a segment and returns its number.
    mutating func open(prefixes: [Prefix], own: Endpoint) -> Int {
        segments.append(Segment(prefixes: prefixes, own: own))
        return segments.count - 1
    }

    /// Takes a datagram and returns the answer for its source, if there is one.
    mutating func receive(_ bytes: [UInt8], from source: Endpoint, at port: Port, segment: Int) -> [UInt8]? {
        guard segments.indices.contains(segment), segments[segment].isOnLink(source.address) else { return nil }
        if let probe = Probe(decoding: bytes) { return receive(probe, from: source, at: port, segment: segment) }
        if port == .group, let beacon = BeaconSighting(decoding: bytes), nodes[beacon.node] == nil,
            nodes.count < Self.nodeLimit
        {
            nodes[beacon.node] = Sighting(beacon: beacon, source: source)
        }
        return nil
    }

    private mutating func receive(_ probe: Probe, from source: Endpoint, at port: Port, segment: Int) -> [UInt8]? {
        guard let answerer = probe.answerer else {
            guard probe.asker == id else { return answer(probe, from: source, at: port, segment: segment) }
            // Another interface of this machine may be on the same segment. Its questions arrive here too.
            guard source == segments[segment].own else { return nil }
            if port == .group { segments[segment].hearsItself = true }
            if port == .links { segments[segment].hearsLinks = true }
            return nil
        }
        if probe.asker == id, port == .unicast {
            note(answerer, at: source.address, segment: segment) { $0.hasAnswered = true }
        }
        return nil
    }

    private mutating func answer(_ probe: Probe, from source: Endpoint, at port: Port, segment: Int) -> [UInt8]? {
        guard port == .group else { return nil }
        note(probe.asker, at: source.address, segment: segment) { $0.hasAsked = true }
        guard answerCount < Self.answerLimit else { return nil }
        answerCount += 1
        return Probe(asker: probe.asker, answerer: id).encoded()
    }

    private mutating func note(_ other: UInt64, at address: IPAddress, segment: Int, _ change: (inout Other) -> Void) {
        let isKnown = segments[segment].others[other] != nil
        guard isKnown || segments[segment].others.count < Self.unknownNodeLimit else { return }
        change(&segments[segment].others[other, default: Other(address: address)])
    }
}
