extension [Place] {
    /// Returns positions that follow from the links alone.
    ///
    /// Each connected component is a disc with its best-linked host in the centre. The other hosts are on rings by
    /// their distance from it, near the host through which they are connected.
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

/// The shortest paths from one host to all hosts of its connected component.
private struct LinkTree {
    private let centre: Int
    private var children: [Int: [Int]] = [:]
    /// The hosts in order of their distance from the centre.
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

    /// The distance of the farthest host.
    var depth: Int { order.last.flatMap { layers[$0] } ?? 0 }

    /// The position of each host.
    ///
    /// A host gets a sector of the circle in proportion to the number of leaves below it, and is in the middle of its
    /// sector.
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
