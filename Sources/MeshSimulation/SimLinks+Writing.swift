public import MeshCore

extension SimLinks {
    /// Creates a mesh whose tree has formed: some envelopes have gone first, and are not counted.
    public static func warm(
        _ overlay: SimOverlay,
        seed: UInt64,
        loss: Double = 0,
        configuration: MeshConfiguration = .simulated
    ) -> SimLinks {
        var net = SimLinks(overlay, seed: seed, quality: SimLinkQuality(loss: loss), configuration: configuration)
        net.warm { (_: Double) throws(Never) in }
        return net
    }

    /// Sends some uncounted envelopes, and reports before each the fraction already sent.
    mutating func warm<Failure: Error>(_ report: (Double) throws(Failure) -> Void) throws(Failure) {
        for number in 0..<Self.warmingCount {
            try report(Double(number) / Double(Self.warmingCount))
            write(1, first: Self.warmingNumber + number, every: .milliseconds(300))
        }
        run(for: .seconds(1))
        forgetCounts()
    }

    /// Writes one envelope after another from hosts all over the mesh.
    public mutating func write(_ count: Int, first: Int = 0, every interval: Duration) {
        let stride = Self.stride(over: hostNumbers.count)
        for number in first..<(first + count) {
            submit(body: SimNet.body(number), from: number * stride % hostNumbers.count)
            run(for: interval)
        }
    }

    /// Returns the number of spreads, from `first` on, that arrived at each host except the author exactly once.
    public func completeCount(from first: Int) -> Int {
        spreads.dropFirst(first).count { $0.arrivalCount == hostNumbers.count - 1 }
    }

    /// The lowest host number in the connected component of each host; nil while the host is off.
    public var components: [Int?] {
        var components = [Int?](repeating: nil, count: hosts.count)
        for host in hosts.indices where hosts[host].isOn && components[host] == nil {
            for other in reachable(from: host) { components[other] = host }
        }
        return components
    }

    /// Returns a step from host to host whose multiples are far from each other and finally cover all hosts.
    static func stride(over hostCount: Int) -> Int {
        (617...).first { step in Self.commonDivisor(step, hostCount) == 1 } ?? 1
    }

    private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : commonDivisor(right, left % right)
    }

    private static let warmingCount = 8
    /// The first number for the content of the warming bodies.
    ///
    /// Counted envelopes use other numbers.
    private static let warmingNumber = 1_000_000
}
