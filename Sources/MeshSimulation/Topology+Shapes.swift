extension Topology {
    /// Creates a chain in which each host is in range of the hosts beside it only.
    public static func line(_ count: Int) -> Topology {
        Topology(
            hostCount: count,
            segments: (1..<max(1, count)).map { [$0 - 1, $0] },
            places: .chain(count)
        )
    }

    /// Creates a closed chain.
    public static func ring(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: (0..<count).map { [$0, ($0 + 1) % count] }, places: .circle(count))
    }

    /// Creates a rectangle in which each host is in range of the hosts above, below and beside it.
    public static func grid(width: Int, height: Int) -> Topology {
        rows(width * height, width: width)
    }

    /// Creates a grid with as many rows as columns, or one row fewer.
    ///
    /// The last row may be short.
    public static func grid(_ count: Int) -> Topology {
        rows(count, width: max(1, Int(Double(count).squareRoot().rounded(.up))))
    }

    /// Creates one segment that contains all hosts.
    public static func clique(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: [Array(0..<count)], places: .disc(count))
    }

    /// Creates segments of at most `size` hosts each, and a last one that joins the first hosts of them.
    ///
    /// Hosts with consecutive numbers are on different segments.
    static func joined(_ count: Int, size: Int) -> Topology {
        let segmentCount = max(1, (count + size - 1) / size)
        let segments = (0..<segmentCount).map { Array(stride(from: $0, to: count, by: segmentCount)) }
        return Topology(hostCount: count, segments: segments + [segments.map { $0[0] }], places: .disc(count))
    }

    /// Creates a host in the middle, number 0, and others that are in range of it alone.
    public static func star(_ count: Int) -> Topology {
        Topology(
            hostCount: count,
            segments: (1..<max(1, count)).map { [0, $0] },
            places: [.origin] + [Place].circle(count - 1)
        )
    }

    /// Creates two segments of `count` hosts each, joined by one pair.
    public static func barbell(_ count: Int) -> Topology {
        barbell(count, count)
    }

    /// Creates two segments of these sizes, joined by one pair.
    public static func barbell(_ left: Int, _ right: Int) -> Topology {
        // The pair faces each other: the last host of the left half, and the first of the right half.
        let places = [Place].disc(left, lastAt: 0).beside([Place].disc(right, lastAt: 0.5).reversed(), gap: 0.2)
        return Topology(
            hostCount: left + right,
            segments: [Array(0..<left), Array(left..<(left + right)), [left - 1, left]],
            places: places
        )
    }

    /// Returns two meshes that are out of range of each other.
    ///
    /// The hosts of `other` are numbered after those of this topology.
    public func beside(_ other: Topology) -> Topology {
        let places = places.flatMap { left in other.places.map { left.beside($0, gap: 0.12) } }
        return Topology(
            hostCount: hostCount + other.hostCount,
            segments: segments + other.segments.map { $0.map { $0 + hostCount } },
            places: places
        )
    }

    /// Creates hosts at random positions in a square.
    ///
    /// Each pair within range has a segment of its own. The mesh is always connected.
    ///
    /// The range is chosen for `degree` neighbours on average. Positions that leave the mesh disconnected are drawn
    /// again with a slightly longer range.
    public static func randomGeometric(_ count: Int, degree: Double, seed: UInt64) -> Topology {
        var random = SeededPlaces(seed: seed)
        var squareReach = degree / (Double.pi * Double(count))
        while true {
            let places = (0..<count).map { _ in random.nextPlace() }
            let topology = Topology(
                hostCount: count,
                segments: pairs(of: places, squareReach: squareReach),
                places: places
            )
            if topology.isConnected { return topology }
            squareReach *= 1.02
        }
    }

    private static func pairs(of places: [Place], squareReach: Double) -> [[Int]] {
        var pairs: [[Int]] = []
        for left in places.indices {
            let place = places[left]
            for right in places.index(after: left)..<max(places.count, left + 1) {
                let (x, y) = (place.x - places[right].x, place.y - places[right].y)
                if x * x + y * y <= squareReach { pairs.append([left, right]) }
            }
        }
        return pairs
    }

    private static func rows(_ count: Int, width: Int) -> Topology {
        var segments: [[Int]] = []
        for host in 0..<count {
            if host % width + 1 < width, host + 1 < count { segments.append([host, host + 1]) }
            if host + width < count { segments.append([host, host + width]) }
        }
        return Topology(hostCount: count, segments: segments, places: .rows(count, width: width))
    }
}
