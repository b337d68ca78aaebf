package import ChatCrypto

/// Changes that came before the message they are for: which ones the store holds, and for which message.
///
/// Bounded by ``ContentLimits/earlyCount``, and by ``ContentLimits/earlyMemberCount`` for each author; the oldest makes
/// room.
package struct EarlyChanges: Sendable {
    package struct Entry: Sendable {
        package let id: MessageID
        package let target: MessageID
        package let author: PeerID
        /// Units: milliseconds since 1970.
        package let receivedAt: UInt64

        package init(id: MessageID, target: MessageID, author: PeerID, receivedAt: UInt64) {
            self.id = id
            self.target = target
            self.author = author
            self.receivedAt = receivedAt
        }

        fileprivate var age: (UInt64, MessageID) { (receivedAt, id) }
    }

    private var entries: [MessageID: Entry] = [:]
    private var byTarget: [MessageID: [MessageID]] = [:]
    private var countByAuthor: [PeerID: Int] = [:]

    package init() {}

    package var count: Int { entries.count }

    package func contains(_ id: MessageID) -> Bool { entries[id] != nil }

    /// The changes that wait for a message, in the order in which they came.
    package func waiting(for target: MessageID) -> [MessageID] { byTarget[target] ?? [] }

    /// Adds a change; answers those that had to make room.
    package mutating func add(_ entry: Entry) -> [MessageID] {
        guard entries[entry.id] == nil else { return [] }
        var crowdedOut: [MessageID] = []
        if countByAuthor[entry.author, default: 0] >= ContentLimits.earlyMemberCount {
            crowdedOut += [oldest { $0.author == entry.author }].compactMap(\.self)
        } else if entries.count >= ContentLimits.earlyCount {
            crowdedOut += [oldest { _ in true }].compactMap(\.self)
        }
        for id in crowdedOut { remove(id) }
        entries[entry.id] = entry
        byTarget[entry.target, default: []].append(entry.id)
        countByAuthor[entry.author, default: 0] += 1
        return crowdedOut
    }

    package mutating func remove(_ id: MessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        byTarget[entry.target]?.removeAll { $0 == id }
        if byTarget[entry.target]?.isEmpty ?? false { byTarget[entry.target] = nil }
        let left = (countByAuthor[entry.author] ?? 1) - 1
        countByAuthor[entry.author] = left > 0 ? left : nil
    }

    /// The changes that came before a moment, oldest first.
    package func older(than moment: UInt64) -> [MessageID] {
        entries.values.filter { $0.receivedAt < moment }.sorted { $0.age < $1.age }.map(\.id)
    }

    /// The changes by an author.
    package func all(by author: PeerID) -> [MessageID] {
        entries.values.filter { $0.author == author }.map(\.id).sorted()
    }

    private func oldest(where fits: (Entry) -> Bool) -> MessageID? {
        entries.values.lazy.filter(fits).min { $0.age < $1.age }?.id
    }
}
