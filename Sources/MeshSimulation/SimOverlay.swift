import MeshCore

/// The links between hosts: the result of discovery, without its beacons.
///
/// Every host dials four random hosts in its range and accepts up to sixteen links. Links that are needed to connect the
/// components of a mesh are added, as rotation causes them in a real mesh.
public struct SimOverlay: Sendable, Equatable {
    /// The linked hosts of each host, ascending.
    public let neighbours: [[Int]]

    /// Creates the links that hosts on the segments of a topology would make.
    public init(_ topology: Topology, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let hearing = Hearing(topology)
        var links = [Set<Int>](repeating: [], count: topology.hostCount)
        for host in (0..<topology.hostCount).shuffled(using: &random) {
            var dialCount = 0
            for other in hearing.audible(to: host).shuffled(using: &random) where !links[host].contains(other) {
                guard dialCount < Self.dialCount, links[host].count < Self.linkLimit else { break }
                guard links[other].count < Self.linkLimit else { continue }
                links[host].insert(other)
                links[other].insert(host)
                dialCount += 1
            }
        }
        Self.join(&links, hearing)
        neighbours = links.map { $0.sorted() }
    }

    /// Creates an overlay from these links.
    ///
    /// A link may be listed at either end or at both.
    public init(hostCount: Int, links pairs: [(Int, Int)]) {
        var links = [Set<Int>](repeating: [], count: hostCount)
        for (host, other) in pairs where host != other {
            links[host].insert(other)
            links[other].insert(host)
        }
        neighbours = links.map { $0.sorted() }
    }

    /// The number of links.
    public var linkCount: Int { neighbours.reduce(0) { $0 + $1.count } / 2 }

    /// The average number of links per host.
    public var meanDegree: Double {
        Double(neighbours.reduce(0) { $0 + $1.count }) / Double(max(1, neighbours.count))
    }

    private static let dialCount = 4
    private static let linkLimit = 16

    /// Adds a link between any two hosts in range of each other that links do not yet connect.
    private static func join(_ links: inout [Set<Int>], _ hearing: Hearing) {
        var components = Components(links.count)
        for host in links.indices {
            for other in links[host] { components.join(host, other) }
        }
        for host in links.indices where components.count > 1 {
            for other in hearing.audible(to: host) where components.join(host, other) {
                links[host].insert(other)
                links[other].insert(host)
            }
        }
    }
}

/// The hosts in range of each host.
///
/// The pairs are computed for one host at a time, because a large segment has too many pairs to keep.
private struct Hearing {
    private let segments: [[Int]]
    private var segmentsOfHosts: [[Int]]

    init(_ topology: Topology) {
        segments = topology.segments
        segmentsOfHosts = Array(repeating: [], count: topology.hostCount)
        for (segment, members) in segments.enumerated() {
            for host in members { segmentsOfHosts[host].append(segment) }
        }
    }

    /// Returns the hosts that share a segment with a host, ascending.
    func audible(to host: Int) -> [Int] {
        var audible: [Int] = []
        for segment in segmentsOfHosts[host] {
            for other in segments[segment] where other != host { audible.append(other) }
        }
        audible.sort()
        return audible.reduce(into: []) { unique, other in
            if unique.last != other { unique.append(other) }
        }
    }
}
