public import MeshCore

extension SimNet {
    /// A body whose content follows from `number`; as a sealed one it carries a release hash that nobody can prove.
    public static func body(_ number: Int, byteCount: Int = 256) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(number))
        let head = (0..<3).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } }
        return head + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, byteCount - head.count))
    }

    /// A network whose hosts have all been switched on, have become one component and come to rest.
    public static func linked(
        _ topology: Topology,
        seed: UInt64 = 1,
        quality: SegmentQuality = SegmentQuality(),
        configuration: MeshConfiguration = .simulated
    ) -> SimNet {
        var net = SimNet(topology, seed: seed, quality: quality, configuration: configuration)
        net.startAll()
        _ = net.run(for: .seconds(30)) { $0.isOneComponent }
        net.run(for: .seconds(1))
        return net
    }

    /// The hosts that each host has links to, by the names the hosts go by at the moment.
    public var neighbourhoods: [[Int]] {
        var hostByNode: [NodeID: Int] = [:]
        let snapshots = hostNumbers.map { snapshot(of: $0) }
        for (host, snapshot) in snapshots.enumerated() {
            if let snapshot { hostByNode[snapshot.nodeID] = host }
        }
        return snapshots.map { ($0?.links ?? []).compactMap { hostByNode[$0.node] }.sorted() }
    }

    /// Whether every host can reach every other over links.
    public var isOneComponent: Bool {
        let neighbours = neighbourhoods
        var reached: Set<Int> = [0]
        var edge = [0]
        while let host = edge.popLast() {
            for next in neighbours[host] where reached.insert(next).inserted { edge.append(next) }
        }
        return reached.count == neighbours.count
    }

    /// How often each host got this envelope.
    public func deliveryCounts(of id: EnvelopeID?) -> [Int] {
        hostNumbers.map { host in id.map { deliveryCount(of: $0, at: host) } ?? -1 }
    }

    /// What `deliveryCounts` is when every host but the author got the envelope once.
    public func onceEverywhere(but author: Int) -> [Int] {
        hostNumbers.map { $0 == author ? 0 : 1 }
    }
}
