import MeshCore

/// Who has a link to whom: where discovery ends up, without its beacons.
///
/// Every host dials four random ones of those it hears and accepts up to twelve links; links that the parts of a mesh
/// need to hang together are added, as the component root does it.
public struct SimOverlay: Sendable, Equatable {
    /// The other ends of each host's links, ascending.
    public let neighbours: [[Int]]

    /// Makes the links that hosts on the segments of a topology come to have.
    public init(_ topology: Topology, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let audible = Self.audible(in: topology)
        var links = [Set<Int>](repeating: [], count: topology.hostCount)
        for host in (0..<topology.hostCount).shuffled(using: &random) {
            var dialCount = 0
            for other in audible[host].shuffled(using: &random) where !links[host].contains(other) {
                guard dialCount < Self.dialCount, links[host].count < Self.linkLimit else { break }
                guard links[other].count < Self.linkLimit else { continue }
                links[host].insert(other)
                links[other].insert(host)
                dialCount += 1
            }
        }
        Self.join(&links, audible: audible)
        neighbours = links.map { $0.sorted() }
    }

    /// The number of links of an average host.
    public var meanDegree: Double {
        Double(neighbours.reduce(0) { $0 + $1.count }) / Double(max(1, neighbours.count))
    }

    private static let dialCount = 4
    private static let linkLimit = 12

    /// The hosts that share a segment with each host, ascending.
    private static func audible(in topology: Topology) -> [[Int]] {
        var audible = [Set<Int>](repeating: [], count: topology.hostCount)
        for members in topology.segments {
            for host in members {
                for other in members where other != host { audible[host].insert(other) }
            }
        }
        return audible.map { $0.sorted() }
    }

    /// Adds a link wherever two hosts hear each other that no links connect.
    private static func join(_ links: inout [Set<Int>], audible: [[Int]]) {
        var root = Array(links.indices)
        func find(_ host: Int) -> Int {
            var host = host
            while root[host] != host {
                root[host] = root[root[host]]
                host = root[host]
            }
            return host
        }
        for host in links.indices {
            for other in links[host] { root[find(host)] = find(other) }
        }
        for host in links.indices {
            for other in audible[host] where find(host) != find(other) {
                links[host].insert(other)
                links[other].insert(host)
                root[find(host)] = find(other)
            }
        }
    }
}
