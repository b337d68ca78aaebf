public import MeshCore

extension SimLinks {
    /// A mesh whose tree has taken shape: some envelopes have gone by, and are not counted.
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

    /// Lets some envelopes go by uncounted, and tells before each what part of them has gone.
    mutating func warm<Failure: Error>(_ report: (Double) throws(Failure) -> Void) throws(Failure) {
        for number in 0..<Self.warmingCount {
            try report(Double(number) / Double(Self.warmingCount))
            write(1, first: Self.warmingNumber + number, every: .milliseconds(300))
        }
        run(for: .seconds(1))
        forgetCounts()
    }

    /// Lets hosts all over the mesh write one envelope after another.
    public mutating func write(_ count: Int, first: Int = 0, every interval: Duration) {
        let stride = Self.stride(over: hostNumbers.count)
        for number in first..<(first + count) {
            submit(body: SimNet.body(number), from: number * stride % hostNumbers.count)
            run(for: interval)
        }
    }

    /// How many of the spreads from `first` on came to each host but the author exactly once.
    public func completeCount(from first: Int) -> Int {
        spreads.dropFirst(first).count { $0.arrivalCount == hostNumbers.count - 1 }
    }

    /// For each host the least number of those that links connect it with, its own included; nil while it is off.
    public var pieces: [Int?] {
        var pieces = [Int?](repeating: nil, count: hosts.count)
        for host in hosts.indices where hosts[host].isOn && pieces[host] == nil {
            for other in reachable(from: host) { pieces[other] = host }
        }
        return pieces
    }

    /// A step from host to host whose multiples are far from each other and in the end everywhere.
    static func stride(over hostCount: Int) -> Int {
        (617...).first { step in Self.commonDivisor(step, hostCount) == 1 } ?? 1
    }

    private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : commonDivisor(right, left % right)
    }

    private static let warmingCount = 8
    /// What the bodies of those envelopes are made of, apart from those that are counted.
    private static let warmingNumber = 1_000_000
}
