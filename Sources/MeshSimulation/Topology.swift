/// Who shares a segment with whom.
public struct Topology: Sendable, Equatable {
    /// The number of hosts.
    public let hostCount: Int
    /// The hosts on each segment.
    public let segments: [[Int]]

    /// Makes a topology of any shape.
    public init(hostCount: Int, segments: [[Int]]) {
        precondition(segments.allSatisfy { $0.allSatisfy { (0..<hostCount).contains($0) } }, "hosts by their numbers")
        self.hostCount = hostCount
        self.segments = segments
    }

    /// A chain in which each host hears only the ones beside it.
    public static func line(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: (1..<max(1, count)).map { [$0 - 1, $0] })
    }

    /// A closed chain.
    public static func ring(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: (0..<count).map { [$0, ($0 + 1) % count] })
    }

    /// A rectangle in which each host hears the ones above, below and beside it.
    public static func grid(width: Int, height: Int) -> Topology {
        var segments: [[Int]] = []
        for host in 0..<(width * height) {
            if host % width + 1 < width { segments.append([host, host + 1]) }
            if host + width < width * height { segments.append([host, host + width]) }
        }
        return Topology(hostCount: width * height, segments: segments)
    }

    /// One segment that everybody is on.
    public static func clique(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: [Array(0..<count)])
    }

    /// Two segments of `count` hosts each, joined by one pair.
    public static func barbell(_ count: Int) -> Topology {
        Topology(
            hostCount: 2 * count,
            segments: [Array(0..<count), Array(count..<(2 * count)), [count - 1, count]]
        )
    }

    /// Hosts strewn over a square, each pair within reach on a segment of its own; always in one piece.
    ///
    /// The reach is chosen for `degree` neighbours on average; places that leave the mesh in pieces are drawn again.
    public static func randomGeometric(_ count: Int, degree: Double, seed: UInt64) -> Topology {
        var random = SeededPlaces(seed: seed)
        var squareReach = degree / (Double.pi * Double(count))
        while true {
            let places = (0..<count).map { _ in random.nextPlace() }
            var segments: [[Int]] = []
            for left in 0..<count {
                for right in (left + 1)..<max(count, left + 1) {
                    let (x, y) = (places[left].x - places[right].x, places[left].y - places[right].y)
                    if x * x + y * y <= squareReach { segments.append([left, right]) }
                }
            }
            let topology = Topology(hostCount: count, segments: segments)
            if topology.isConnected { return topology }
            squareReach *= 1.02
        }
    }

    /// Whether every host can reach every other.
    public var isConnected: Bool {
        var root = Array(0..<hostCount)
        func find(_ host: Int) -> Int {
            var host = host
            while root[host] != host { host = root[host] }
            return host
        }
        for segment in segments {
            for host in segment.dropFirst() { root[find(host)] = find(segment[0]) }
        }
        return Set((0..<hostCount).map(find)).count <= 1
    }
}
