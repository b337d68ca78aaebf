import Bytes
import MeshCore

/// The mailboxes that a hub has refused mail for because they are full, each with a wait.
struct FullMailboxes: Sendable {
    private struct Entry: Sendable {
        var backoff = HubBackoff(from: GatewayLimits.fullWait, to: GatewayLimits.longestFullWait)
        var until = MeshInstant.zero
    }

    private var entries: [MailTag: Entry] = [:]
    private var ends = SortedSet<Keyed<MeshInstant, MailTag>>()

    /// The number of mailboxes.
    var count: Int { entries.count }

    /// Returns the end of the wait for a tag; nil if its mail need not wait.
    func wait(for tag: MailTag, now: MeshInstant) -> MeshInstant? {
        entries[tag].flatMap { now < $0.until ? $0.until : nil }
    }

    /// Notes a refusal, and returns the end of the wait.
    mutating func refuse(_ tag: MailTag, now: MeshInstant) -> MeshInstant {
        var entry = entries[tag] ?? Entry()
        // The other refusals of one attempt count once.
        guard entry.until <= now else { return entry.until }
        ends.remove(Keyed(key: entry.until, value: tag))
        entry.until = now.advanced(by: entry.backoff.next())
        entries[tag] = entry
        ends.insert(Keyed(key: entry.until, value: tag))
        if entries.count > GatewayLimits.fullCount, let first = ends.first { accept(first.value) }
        return entry.until
    }

    /// Notes that the hub has taken mail for the tag.
    mutating func accept(_ tag: MailTag) {
        guard let entry = entries.removeValue(forKey: tag) else { return }
        ends.remove(Keyed(key: entry.until, value: tag))
    }
}
