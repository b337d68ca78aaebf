extension Topology {
    /// A chain in which each host hears only the ones beside it.
    public static func line(_ count: Int) -> Topology {
        Topology(
            hostCount: count,
            segments: (1..<max(1, count)).map { [$0 - 1, $0] },
            places: .chain(count)
        )
    }

    /// A closed chain.
    public static func ring(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: (0..<count).map { [$0, ($0 + 1) % count] }, places: .circle(count))
    }

    /// A rectangle in which each host hears the ones above, below and beside it.
    public static func grid(width: Int, height: Int) -> Topology {
        rows(width * height, width: width)
    }

    /// As many rows as columns, or one less; the last row may be short.
    public static func grid(_ count: Int) -> Topology {
        rows(count, width: max(1, Int(Double(count).squareRoot().rounded(.up))))
    }

    /// One segment that everybody is on.
    public static func clique(_ count: Int) -> Topology {
        Topology(hostCount: count, segments: [Array(0..<count)], places: .disc(count))
    }

    /// A host in the middle, number 0, and others that hear it alone.
    public static func star(_ count: Int) -> Topology {
        Topology(
            hostCount: count,
            segments: (1..<max(1, count)).map { [0, $0] },
            places: [.origin] + [Place].circle(count - 1)
        )
    }

    /// Two segments of `count` hosts each, joined by one pair.
    public static func barbell(_ count: Int) -> Topology {
        barbell(count, count)
    }

    /// Two segments of so many hosts, joined by one pair.
    public static func barbell(_ left: Int, _ right: Int) -> Topology {
        // The pair faces each other: the last of the left half, and the first of the right one.
        let places = [Place].disc(left, lastAt: 0).beside([Place].disc(right, lastAt: 0.5).reversed(), gap: 0.2)
        return Topology(
            hostCount: left + right,
            segments: [Array(0..<left), Array(left..<(left + right)), [left - 1, left]],
            places: places
        )
    }

    /// Two meshes that do not hear each other, the hosts of the other numbered after those of this.
    public func beside(_ other: Topology) -> Topology {
        let places = places.flatMap { left in other.places.map { left.beside($0, gap: 0.12) } }
        return Topology(
            hostCount: hostCount + other.hostCount,
            segments: segments + other.segments.map { $0.map { $0 + hostCount } },
            places: places
        )
    }

    /// Hosts strewn over a square, each pair within reach on a segment of its own; always in one piece.
    ///
    /// The reach is chosen for `degree` neighbours on average; places that leave the mesh in pieces are drawn again,
    /// with a reach a little longer.
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
