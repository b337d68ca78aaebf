extension [Place] {
    /// Places that follow from links alone: each piece of the mesh is a disc, with its best linked host in the middle and
    /// the others on rings by their distance from it, near the host that they hang on.
    static func layers(of overlay: SimOverlay) -> [Place] {
        var places = [Place?](repeating: nil, count: overlay.neighbours.count)
        var right = 0.0
        while let centre = places.indices.filter({ places[$0] == nil }).max(by: { left, right in
            overlay.neighbours[left].count < overlay.neighbours[right].count
        }) {
            let tree = LinkTree(overlay, from: centre)
            let radius = Double(tree.depth)
            for (host, place) in tree.places { places[host] = Place(x: right + radius + place.x, y: place.y) }
            right += 2 * radius + 1.5
        }
        return places.map { $0 ?? .origin }
    }
}

/// The shortest ways from one host to all that links connect it with.
private struct LinkTree {
    private let centre: Int
    private var children: [Int: [Int]] = [:]
    /// Nearer hosts before farther ones.
    private var order: [Int]
    private var layers: [Int: Int]

    init(_ overlay: SimOverlay, from centre: Int) {
        self.centre = centre
        order = [centre]
        layers = [centre: 0]
        var next = 0
        while next < order.count {
            let host = order[next]
            next += 1
            for other in overlay.neighbours[host] where layers[other] == nil {
                layers[other] = (layers[host] ?? 0) + 1
                children[host, default: []].append(other)
                order.append(other)
            }
        }
    }

    /// The distance of the farthest.
    var depth: Int { order.last.flatMap { layers[$0] } ?? 0 }

    /// Each host has a part of the turn as wide as the leaves that hang on it are many, and stands in its middle.
    var places: [(host: Int, place: Place)] {
        var leaves: [Int: Int] = [:]
        for host in order.reversed() {
            leaves[host] = max(1, (children[host] ?? []).reduce(0) { $0 + (leaves[$1] ?? 0) })
        }
        let turn = 1 / Double(leaves[centre] ?? 1)
        var starts: [Int: Double] = [centre: 0]
        return order.map { host in
            var start = starts[host] ?? 0
            let turns = start + Double(leaves[host] ?? 1) * turn / 2
            for child in children[host] ?? [] {
                starts[child] = start
                start += Double(leaves[child] ?? 1) * turn
            }
            return (host, Place.origin.moved(by: Double(layers[host] ?? 0), turns: turns))
        }
    }
}
