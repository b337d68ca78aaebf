/// The times at which a node sends neighbours a status because its store has changed.
///
/// A change is announced soon, but a store that changes all the time is announced less often than one that rests.
/// Source: PROTOCOL §3.3.
package struct StatusSchedule: Sendable {
    /// The time of the next status; the distant future if neighbours know the present one.
    package private(set) var due = MeshInstant.distantFuture
    /// The summary that neighbours received last.
    private var announced: StoreSummary
    private var present: StoreSummary
    private var announcedAt: MeshInstant?
    private var changedAt: MeshInstant?
    private let configuration: LinkConfiguration
    private var random: MeshRandom
    /// The factor by which statuses are rarer, because many hosts share the air.
    package var crowdFactor = 1

    /// Begins with a summary that neighbours know.
    package init(_ summary: StoreSummary, configuration: LinkConfiguration, random: MeshRandom) {
        (announced, present) = (summary, summary)
        self.configuration = configuration
        self.random = random
    }

    /// Records the present summary of the store.
    package mutating func note(_ summary: StoreSummary, now: MeshInstant) {
        guard summary != present else { return }
        let delay = configuration.statusDelay * crowdFactor
        let isBusy = changedAt.map { now < $0.advanced(by: delay) } ?? false
        (present, changedAt) = (summary, now)
        guard due == .distantFuture, summary != announced else { return }
        // In a crowd the same envelope reaches all at once, and so their statuses leave at random times.
        let wait = crowdFactor > 1 ? delay * Double.random(in: 0.25...1, using: &random) : delay
        let interval = (isBusy ? configuration.busyStatusInterval : configuration.statusInterval) * crowdFactor
        due = max(now.advanced(by: wait), announcedAt?.advanced(by: interval) ?? now)
    }

    /// Records that the present summary goes to neighbours.
    package mutating func noteAnnounced(now: MeshInstant) {
        (announced, announcedAt, due) = (present, now, .distantFuture)
    }
}
