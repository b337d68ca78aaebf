import Bytes
import MeshCore

/// The measurement of what crosses between islands.
extension IslandBridge {
    /// The figures so far.
    func figures(from start: MeshInstant, at now: MeshInstant) -> [ScenarioFigure: Double] {
        let asked = mail.asked
        guard !asked.isEmpty else { return [:] }
        let times = asked.map { $0.writtenAt.duration(to: $0.arrivals.first ?? now) }
        let percentiles = ScenarioStatistics.Percentiles(times)
        let published = farPublications
        let injected = injectedEnvelopes
        var figures: [ScenarioFigure: Double] = [
            .farEnvelopes: Double(asked.count),
            .farDelivered: Double(asked.count { $0.arrivals.count == 1 }) / Double(asked.count),
            .strayEnvelopes: Double(strays.count),
            .duplicates: Double(published.count { $0.isDuplicate }),
            .storedAtHub: Double(storedEnvelopes.count),
            .injectedIntoFirst: Double(injected[0].count),
            .injectedIntoSecond: Double(injected[1].count),
        ]
        figures[.publishesPerEnvelope] = publishes(of: asked.filter { !isUnsettled($0, start) })
        figures[.publishesAfterLoss] = publishes(of: asked.filter { isUnsettled($0, start) })
        figures[.crossingP50] = percentiles.map { $0.median / .seconds(1) }
        figures[.crossingP99] = percentiles.map { $0.percentile99 / .seconds(1) }
        return figures
    }

    /// The publications of envelopes of kind FAR.
    private var farPublications: [SimHub.Publication] {
        line.hub.publications.filter { Envelope(decoding: $0.body[...])?.kind == .far }
    }

    /// Returns whether a message was written while the hub was gone, or shortly after.
    private func isUnsettled(_ post: FarPost, _ start: MeshInstant) -> Bool {
        plan.outage?.unsettles(start.duration(to: post.writtenAt)) ?? false
    }

    /// Returns the number of publications of each of these; nil for none.
    ///
    /// Those of envelopes that the hub had confirmed before it was gone do not count.
    private func publishes(of posts: [FarPost]) -> Double? {
        guard !posts.isEmpty else { return nil }
        let ids = Set(posts.map { Hex.text($0.id.bytes) })
        let count = farPublications.count { ids.contains($0.id) && !$0.isRepeated }
        return Double(count) / Double(posts.count)
    }

    /// The envelopes that the hub keeps, without those by which gateways examine it.
    var storedEnvelopes: [Envelope] {
        line.hub.keptMail.compactMap { Envelope(decoding: $0.body[...]) }.filter { $0.kind == .far }
    }

    /// The envelopes that each island got from the hub; those that several gateways fetched count once.
    var injectedEnvelopes: [Set<EnvelopeID>] {
        gateways.reduce(into: [[], []]) { sets, gateway in
            sets[plan.island(of: gateway.host)].formUnion(gateway.injected)
        }
    }

    /// The envelopes that nobody asked for across, and that both islands or the hub have seen all the same.
    var strays: Set<EnvelopeID> {
        let published = line.hub.publications.compactMap { Envelope(decoding: $0.body[...]) }
            .filter { $0.kind != Self.canary }
            .map { NullCryptography().envelopeID(kindByte: $0.kindByte, body: $0.body[...]) }
        let asked = Set(mail.asked.map(\.id))
        return sightings.crossed.subtracting(asked).subtracting(mail.proofs).union(Set(published).subtracting(asked))
    }

    /// The results of the messages of kind FAR, receipts left out.
    func messageResults(from start: MeshInstant) -> [MessageResult] {
        mail.posts.filter { $0.confirmed == nil }.map { post in
            let arrivals = post.arrivals.prefix(1).map { time in
                let after = post.writtenAt.duration(to: time)
                return MessageResult.Arrival(host: post.reader, after: after, latency: after, hops: 0)
            }
            return MessageResult(
                author: post.author,
                at: start.duration(to: post.writtenAt),
                arrivals: arrivals,
                missedHosts: arrivals.isEmpty ? [post.reader] : []
            )
        }
    }

    /// The kind of the envelopes by which gateways examine a hub.
    private static let canary: EnvelopeKind = 15
}

extension WholeRun {
    /// The figures of what crosses between islands, and the messages of both islands that arrived; none in one mesh.
    var farFigures: [ScenarioFigure: Double] {
        guard let bridge else { return [:] }
        var figures = bridge.figures(from: start, at: net.now)
        let results = messageResults
        let (arrivedCount, missedCount) = results.reduce((0, 0)) { counts, message in
            (counts.0 + message.arrivals.count, counts.1 + message.missedHosts.count)
        }
        figures[.delivered] = Double(arrivedCount) / Double(max(1, arrivedCount + missedCount))
        return figures
    }
}
