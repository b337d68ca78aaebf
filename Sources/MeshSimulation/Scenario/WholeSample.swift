import MeshCore

/// The counters of the honest hosts of a network at one moment.
struct WholeSample: Sendable {
    /// The time since messages began.
    let elapsed: Duration
    /// The number of beacons that all hosts have sent.
    let beaconCount: Int
    /// The number of datagrams that all hosts have sent, with beacons.
    let datagramCount: Int
    /// The size of these datagrams, by host.
    ///
    /// Units: bytes.
    let byteCounts: [Int]
    /// The number of envelopes of others that each host has accepted.
    let acceptedCounts: [Int]
    /// The number of comparisons of stores that each host has begun.
    let comparisonCounts: [Int]
    /// The time on the air of each segment.
    let airtimes: [Airtime]
    /// The number of reports that each host has given.
    let reportCounts: [Int]
}

extension WholeSample {
    /// Returns the time on the air since an earlier sample on the segment that had most of it.
    func busiestAirtime(since first: WholeSample) -> Airtime {
        let airtimes = zip(airtimes, first.airtimes).map { $0 - $1 }
        return airtimes.max { $0.total < $1.total } ?? Airtime()
    }
}

extension WholeRun {
    /// The counters now.
    var sample: WholeSample {
        let hosts = net.hosts.prefix(honestCount)
        let sent = hosts.map(\.sent)
        let counters = attack == nil ? [] : hosts.map { $0.engine?.snapshot.counters }
        return WholeSample(
            elapsed: elapsed,
            beaconCount: sent.reduce(0) { $0 + $1.beaconCount },
            datagramCount: sent.reduce(0) { $0 + $1.datagramCount },
            byteCounts: sent.map(\.byteCount),
            acceptedCounts: counters.map { $0?.newEnvelopes ?? 0 },
            comparisonCounts: counters.map { $0?.router.comparisons ?? 0 },
            airtimes: net.segments.indices.map { net.airtime(of: $0) },
            reportCounts: hosts.map(\.reports.count)
        )
    }

    /// Returns the last sample that is at least this much older than the end.
    private func sample(beforeEnd time: Duration) -> WholeSample? {
        samples.last { $0.elapsed <= elapsed - time } ?? samples.first
    }

    // MARK: - Figures

    /// The figures of the run so far.
    var figures: [ScenarioFigure: Double] {
        guard let first = samples.first, let last = samples.last, last.elapsed > .zero else { return [:] }
        var figures = mailFigures
        let seconds = last.elapsed / .seconds(1)
        let hostCount = Double(honestCount)
        figures[.datagrams] = Double(last.datagramCount - first.datagramCount) / seconds / hostCount
        if let rest = sample(beforeEnd: .seconds(10)), rest.elapsed < last.elapsed {
            let span = (last.elapsed - rest.elapsed) / .seconds(1)
            figures[.restDatagrams] = Double(last.datagramCount - rest.datagramCount) / span / hostCount
        }
        figures[.copiesPerPiece] = objects.largestCopyCount.map(Double.init)
        figures[.fewestCopies] = objects.smallestCopyCount.map(Double.init)
        figures[.objectTime] = objects.longestTime(mail, starts: startTimes, now: net.now).map { $0 / .seconds(1) }
        figures[.linkTime] = timeToOneComponent.map { $0 / .seconds(1) }
        let early = (0..<honestCount).filter { !lateHosts.contains($0) }
        figures[.connected] = connectedFraction(of: early)
        figures[.pieces] = Double(pieceCount(of: (0..<honestCount).filter { net.hosts[$0].isOn }))
        if scenario.channel != nil {
            let airtime = last.busiestAirtime(since: first)
            figures[.airtime] = airtime.total / last.elapsed
            figures[.airtimeWithoutBeacons] = (airtime.total - airtime[.beacon]) / last.elapsed
        }
        if !lateHosts.isEmpty {
            let never = scenario.events.map(\.at).min().map { last.elapsed - $0 } ?? last.elapsed
            figures[.joinTime] = lateHosts.map { joinTimes[$0] ?? never }.max().map { $0 / .seconds(1) }
        }
        if scenario.adversary != nil { figures[.linksLost] = Double(lostLinkCount(since: first)) }
        figures.merge(heldFigures) { $1 }
        figures.merge(farFigures) { $1 }
        figures.merge(attackFigures(seconds: seconds)) { $1 }
        return figures
    }

    /// The fraction of these hosts that are in the largest component when messages begin.
    private func connectedFraction(of hosts: [Int]) -> Double {
        var components = Components(honestCount)
        for (host, others) in overlay.neighbours.enumerated() {
            for other in others { components.join(host, other) }
        }
        let sizes = Dictionary(grouping: hosts) { components.component(of: $0) }.values.map(\.count)
        return Double(sizes.max() ?? 0) / Double(max(1, hosts.count))
    }

    /// The number of links between two honest hosts that ended at least once.
    private func lostLinkCount(since first: WholeSample) -> Int {
        var hostsByNode: [NodeID: Int] = [:]
        for host in 0..<honestCount {
            if let node = net.hosts[host].engine?.nodeID { hostsByNode[node] = host }
        }
        var pairs: Set<[Int]> = []
        for host in 0..<honestCount {
            for report in net.hosts[host].reports.dropFirst(first.reportCounts[host]) {
                guard case .linkDown(_, let node, _) = report, let other = hostsByNode[node] else { continue }
                pairs.insert([host, other].sorted())
            }
        }
        return pairs.count
    }

    private func attackFigures(seconds: Double) -> [ScenarioFigure: Double] {
        guard let attack, let adversary = scenario.adversary else { return [:] }
        var figures: [ScenarioFigure: Double] = [.hostileMessages: Double(attack.sentCount)]
        let gains = zip(samples, samples.dropFirst()).map { earlier, later in
            zip(later.acceptedCounts, earlier.acceptedCounts).map { $0 - $1 }.max() ?? 0
        }
        figures[.peakAccepted] = Double(gains.max() ?? 0)
        if let first = samples.first, let last = samples.last {
            let gain = zip(last.acceptedCounts, first.acceptedCounts).map { $0 - $1 }.max() ?? 0
            figures[.accepted] = Double(gain) / min(seconds, max(1, adversary.duration / .seconds(1)))
        }
        if let first = sample(beforeEnd: .seconds(300)), let last = samples.last {
            let counts = zip(last.comparisonCounts, first.comparisonCounts).map { $0 - $1 }
            figures[.comparisons] = Double(counts.max() ?? 0)
        }
        figures[.intercepted] = Double(attack.interceptedCount)
        let sent = attack.hosts.reduce(0) { $0 + net.sentTraffic(of: $1.number).byteCount }
        let reflected = net.watch.traffic.values
        figures[.reflected] = Double(reflected.reduce(0) { $0 + $1.datagramCount })
        let byteCount = reflected.reduce(0) { $0 + $1.byteCount }
        figures[.amplification] = Double(byteCount) / Double(max(1, sent))
        return figures
    }

    /// The part of the messages that stores hold, if they are for all and so have no delivery proof.
    private var heldFigures: [ScenarioFigure: Double] {
        let entries = mail.entries.filter { $0.message.recipients.isEmpty && $0.message.kind == .sealed }
        guard !entries.isEmpty else { return [:] }
        let numbers = Dictionary(uniqueKeysWithValues: entries.enumerated().map { (Array($1.body.prefix(16)), $0) })
        var (copyCount, held) = (0, Set<Int>())
        for host in 0..<honestCount {
            let heldHere = self.held(numbers, at: host)
            copyCount += heldHere.count
            held.formUnion(heldHere.filter { entries[$0].message.author != host })
        }
        return [
            .heldCopies: Double(copyCount) / Double(entries.count * honestCount),
            .heldMessages: Double(held.count) / Double(entries.count),
        ]
    }
}
