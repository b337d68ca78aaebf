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

    /// Begins with a summary that neighbours know.
    package init(_ summary: StoreSummary, configuration: LinkConfiguration) {
        (announced, present) = (summary, summary)
        self.configuration = configuration
    }

    /// Records the present summary of the store.
    package mutating func note(_ summary: StoreSummary, now: MeshInstant) {
        guard summary != present else { return }
        let isBusy = changedAt.map { now < $0.advanced(by: configuration.statusDelay) } ?? false
        (present, changedAt) = (summary, now)
        guard due == .distantFuture, summary != announced else { return }
        let interval = isBusy ? configuration.busyStatusInterval : configuration.statusInterval
        due = max(now.advanced(by: configuration.statusDelay), announcedAt?.advanced(by: interval) ?? now)
    }

    /// Records that the present summary goes to neighbours.
    package mutating func noteAnnounced(now: MeshInstant) {
        (announced, announcedAt, due) = (present, now, .distantFuture)
    }
}
