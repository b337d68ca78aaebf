public import MeshCore

extension SimNet {
    /// Creates a body whose content follows from `number`.
    ///
    /// As a sealed body it carries a release hash that no node can prove.
    public static func body(_ number: Int, byteCount: Int = 256) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(number))
        let head = (0..<3).flatMap { _ in withUnsafeBytes(of: random.next().littleEndian) { Array($0) } }
        return head + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, byteCount - head.count))
    }

    /// Creates a network whose hosts are all on.
    ///
    /// It runs until they are one component, or for at most 30 seconds, and then for one second more.
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

    /// The linked hosts of each host, matched by the current node ids.
    public var neighbourhoods: [[Int]] {
        var hostByNode: [NodeID: Int] = [:]
        let snapshots = hostNumbers.map { snapshot(of: $0) }
        for (host, snapshot) in snapshots.enumerated() {
            if let snapshot { hostByNode[snapshot.nodeID] = host }
        }
        return snapshots.map { ($0?.links ?? []).compactMap { hostByNode[$0.node] }.sorted() }
    }

    /// Whether every host can reach every other host over links.
    public var isOneComponent: Bool {
        let neighbours = neighbourhoods
        var reached: Set<Int> = [0]
        var edge = [0]
        while let host = edge.popLast() {
            for next in neighbours[host] where reached.insert(next).inserted { edge.append(next) }
        }
        return reached.count == neighbours.count
    }

    /// Returns the number of deliveries of this envelope at each host; -1 for a nil id.
    public func deliveryCounts(of id: EnvelopeID?) -> [Int] {
        hostNumbers.map { host in id.map { deliveryCount(of: $0, at: host) } ?? -1 }
    }

    /// Returns the value of `deliveryCounts` if every host except the author received the envelope once.
    public func onceEverywhere(but author: Int) -> [Int] {
        hostNumbers.map { $0 == author ? 0 : 1 }
    }
}
