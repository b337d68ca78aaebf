import MeshCore

/// The measurement of messages among whole nodes.
extension WholeRun {
    /// The hosts at which a message is due: not those that started later.
    private func dueHosts(_ entry: ScenarioMail.Entry) -> [Int] {
        let message = entry.message
        let hosts = message.recipients.isEmpty ? Array(0..<honestCount) : message.recipients
        return hosts.filter { host in
            host != message.author && net.hosts[host].isOn && startTimes[host] ?? .zero <= entry.writtenAt
        }
    }

    /// The figures of messages and receipts.
    var mailFigures: [ScenarioFigure: Double] {
        var latencies: [Duration] = []
        var (arrivedCount, dueReceiptCount, receiptCount, completeCount) = (0, 0, 0, 0)
        var lastArrival = MeshInstant.zero
        for entry in mail.entries {
            let due = dueHosts(entry)
            let times = Dictionary(entry.arrivals.map { ($0.host, $0.time) }) { first, _ in first }
            let arrived = due.compactMap { times[$0] }
            latencies += arrived.map { entry.writtenAt.duration(to: $0) }
            // A copy that never came has taken until now at least.
            latencies += repeatElement(entry.writtenAt.duration(to: net.now), count: due.count - arrived.count)
            arrivedCount += arrived.count
            lastArrival = max(lastArrival, arrived.max() ?? .zero)
            if arrived.count == due.count, !due.isEmpty { completeCount += 1 }
            guard !entry.message.recipients.isEmpty else { continue }
            let confirming = Set(entry.message.recipients.prefix(ScenarioMail.confirmingCount(of: entry.message)))
            dueReceiptCount += due.count { confirming.contains($0) }
            receiptCount += due.count { entry.acknowledgements.contains($0) }
        }
        let returned = returnedFraction.map { [ScenarioFigure.returned: $0] } ?? [:]
        guard !latencies.isEmpty, let first = mail.entries.first else { return returned }
        var figures: [ScenarioFigure: Double] = [.delivered: Double(arrivedCount) / Double(latencies.count)]
        if scenario.carries { figures[.wayGap] = longestGap / .seconds(1) }
        figures.merge(returned) { $1 }
        figures[.repeats] = Double(mail.entries.reduce(0) { $0 + $1.repeatCount })
        if completeCount > 0 {
            figures[.envelopesPerMessage] = Double(mail.envelopeCount) / Double(completeCount)
            figures[.postsPerMessage] = Double(mail.postCount) / Double(completeCount)
        }
        if dueReceiptCount > 0 { figures[.acknowledged] = Double(receiptCount) / Double(dueReceiptCount) }
        let percentiles = ScenarioStatistics.Percentiles(latencies)
        figures[.latencyP50] = percentiles.map { $0.median / .seconds(1) }
        figures[.latencyP99] = percentiles.map { $0.percentile99 / .seconds(1) }
        let span = first.writtenAt.duration(to: lastArrival)
        if span > .zero { figures[.messagesPerMinute] = Double(completeCount) * (.seconds(60) / span) }
        return figures
    }

    /// The longest time in which no message came along a way, from the first message until the last was written.
    private var longestGap: Duration {
        guard let first = mail.entries.first?.writtenAt, let last = mail.entries.last?.writtenAt else { return .zero }
        let times = [first] + mail.entries.compactMap(\.carriedAt).filter { $0 < last }.sorted() + [last]
        return zip(times, times.dropFirst()).map { $0.duration(to: $1) }.max() ?? .zero
    }

    /// The fraction of the messages to hosts in their absence that arrived within a minute of their return; nil without
    /// any.
    private var returnedFraction: Double? {
        var (count, arrivedCount) = (0, 0)
        for entry in mail.entries {
            for host in entry.message.recipients {
                guard let start = startTimes[host], start > entry.writtenAt else { continue }
                let limit = start.advanced(by: .seconds(60))
                count += 1
                arrivedCount += entry.arrivals.contains { $0.host == host && $0.time <= limit } ? 1 : 0
            }
        }
        return count > 0 ? Double(arrivedCount) / Double(count) : nil
    }

    /// The times that due copies took.
    var dueLatencies: [Duration] {
        mail.entries.flatMap { entry in
            let due = Set(dueHosts(entry))
            return entry.arrivals.filter { due.contains($0.host) }.map { entry.writtenAt.duration(to: $0.time) }
        }
    }

    /// The results of the messages.
    var messageResults: [MessageResult] {
        let near = mail.entries.map { entry in
            let due = Set(dueHosts(entry))
            let arrivals = entry.arrivals.map { arrival in
                let after = entry.writtenAt.duration(to: arrival.time)
                return MessageResult.Arrival(host: arrival.host, after: after, latency: after, hops: 0)
            }
            return MessageResult(
                author: entry.message.author,
                at: start.duration(to: entry.writtenAt),
                arrivals: arrivals,
                missedHosts: due.subtracting(arrivals.map(\.host)).sorted()
            )
        }
        return near + (bridge?.messageResults(from: start) ?? [])
    }
}
