public import ChatCore

/// A policy that decides which messages are shown on a screen, in what words, and for how long.
///
/// A pure value: facts and times go in, changes of the screen come out. The messages of one conversation share one
/// notice with a count. All unknown peers share one notice, which shows nothing that they chose. Invariant: `entries`
/// has at most one entry per topic, the longest unchanged first, and at most `NoticeLimits.topicCount` besides that
/// of unknown peers; `raised` holds the times of the last `NoticeLimits.showCount` notices.
///
/// Times count from any one moment and never go back.
public struct NoticePolicy: Sendable {
    /// The user's settings.
    public let settings: NoticeSettings

    private struct Entry: Sendable {
        let topic: NoticeTopic
        var newest: NoticeFacts
        /// Whether a message among those counted names the user.
        var isMention = false
        /// Messages that are not read; zero if the notice is only remembered.
        var count = 0
        /// Unknown peers that are counted.
        var unknownPeers: [ConversationID] = []
        /// The time since which something waits to be shown.
        var dueSince: Duration?
        var isShown = false
        var shownAt: Duration?
    }

    private var entries: [Entry] = []
    private var raised: [Duration] = []

    /// Makes a policy that has seen no message yet.
    public init(_ settings: NoticeSettings = NoticeSettings()) {
        self.settings = settings
    }

    /// The time at which `tick` has work; nil while nothing waits.
    public var nextDeadline: Duration? {
        let windowEnd = raised.count < NoticeLimits.showCount ? .zero : raised[0] + NoticeLimits.showWindow
        let due = entries.filter { $0.dueSince != nil }.map { max(Self.earliest($0), windowEnd) }
        let ends = entries.filter(\.isShown).compactMap(\.shownAt).map { $0 + NoticeLimits.noticeAge }
        return (due + ends).min()
    }

    /// Takes a message that came.
    ///
    /// - Parameters:
    ///   - message: The facts of the message.
    ///   - now: The present moment.
    /// - Returns: The changes of the screen, in this order.
    public mutating func receive(_ message: NoticeFacts, at now: Duration) -> [NoticeChange] {
        guard settings.kinds.contains(message.kind), !message.isMuted else { return [] }
        let index = entries.firstIndex { $0.topic == message.topic }
        var changes: [NoticeChange] = []
        var entry: Entry
        if let index {
            entry = entries.remove(at: index)
        } else {
            changes = makeRoom(for: message.topic)
            entry = Entry(topic: message.topic, newest: message)
        }
        if note(message, in: &entry), entry.dueSince == nil { entry.dueSince = now }
        entries.append(entry)
        return changes + tick(at: now)
    }

    /// Removes the notice of a conversation that the user has read or muted.
    ///
    /// - Parameter conversation: The conversation.
    /// - Returns: The notices to remove.
    public mutating func withdraw(_ conversation: ConversationID) -> [NoticeChange] {
        let own = entries.indices.filter { entries[$0].topic == .conversation(conversation) }
        return own.flatMap { clear($0) } + withdrawRequest(of: conversation)
    }

    /// Stops counting an unknown peer, because the user has decided about them.
    ///
    /// - Parameter conversation: The conversation that was a request.
    /// - Returns: The notices to remove.
    public mutating func withdrawRequest(of conversation: ConversationID) -> [NoticeChange] {
        guard let index = entries.firstIndex(where: { $0.topic == .requests }) else { return [] }
        entries[index].unknownPeers.removeAll { $0 == conversation }
        entries[index].count = entries[index].unknownPeers.count
        return entries[index].count == 0 ? clear(index) : []
    }

    /// Notes that a notice is not on the screen any more, because the user or the screen closed it.
    ///
    /// Its messages stay counted until they are read.
    ///
    /// - Parameter topic: The topic of the notice.
    public mutating func closed(_ topic: NoticeTopic) {
        guard let index = entries.firstIndex(where: { $0.topic == topic }) else { return }
        entries[index].isShown = false
    }

    /// Shows the notices that had to wait, and removes those that are too old.
    ///
    /// - Parameter now: The present moment.
    /// - Returns: The notices to remove and to show, in this order.
    public mutating func tick(at now: Duration) -> [NoticeChange] {
        let old = entries.indices.filter { index in
            let end = entries[index].shownAt.map { $0 + NoticeLimits.noticeAge }
            return entries[index].isShown && (end ?? .zero) <= now
        }
        var changes = old.flatMap { clear($0) }
        raised.removeAll { $0 + NoticeLimits.showWindow <= now }
        while raised.count < NoticeLimits.showCount, let index = nextDue(at: now) {
            changes.append(.show(raise(index, at: now)))
        }
        return changes
    }

    // MARK: - Entries

    /// Counts a message; returns false if there is nothing new to show.
    private func note(_ message: NoticeFacts, in entry: inout Entry) -> Bool {
        if message.kind == .request {
            guard !entry.unknownPeers.contains(message.conversation),
                entry.unknownPeers.count < NoticeLimits.requestCount
            else { return false }
            entry.unknownPeers.append(message.conversation)
            entry.count = entry.unknownPeers.count
        } else {
            entry.count += 1
            entry.isMention = entry.isMention || message.kind == .mention
        }
        entry.newest = message
        return true
    }

    /// Forgets the longest unchanged conversation if there are too many; one that is neither shown nor waiting goes
    /// first.
    private mutating func makeRoom(for topic: NoticeTopic) -> [NoticeChange] {
        let others = entries.indices.filter { entries[$0].topic != .requests }
        guard topic != .requests, others.count >= NoticeLimits.topicCount,
            let index = others.first(where: { !entries[$0].isShown && entries[$0].dueSince == nil }) ?? others.first
        else { return [] }
        let changes = clear(index)
        entries.remove(at: index)
        return changes
    }

    /// Removes a notice, and remembers only the time at which it was raised.
    private mutating func clear(_ index: Int) -> [NoticeChange] {
        let wasShown = entries[index].isShown
        entries[index].count = 0
        entries[index].unknownPeers = []
        entries[index].isMention = false
        entries[index].dueSince = nil
        entries[index].isShown = false
        return wasShown ? [.withdraw(entries[index].topic)] : []
    }

    private func nextDue(at now: Duration) -> Int? {
        entries.indices.filter { Self.earliest(entries[$0]) <= now }
            .compactMap { index in entries[index].dueSince.map { (since: $0, index: index) } }
            .min { ($0.since, $0.index) < ($1.since, $1.index) }?.index
    }

    /// Returns the time from which the next notice of the entry's topic may be raised.
    private static func earliest(_ entry: Entry) -> Duration {
        let interval =
            entry.topic == .requests ? NoticeLimits.requestInterval : NoticeLimits.conversationInterval
        return entry.shownAt.map { $0 + interval } ?? .zero
    }

    private mutating func raise(_ index: Int, at now: Duration) -> Notice {
        entries[index].dueSince = nil
        entries[index].isShown = true
        entries[index].shownAt = now
        raised.append(now)
        let entry = entries[index]
        let kind = entry.isMention ? .mention : entry.newest.kind
        return NoticeText.notice(entry.newest, kind: kind, count: entry.count, detail: settings.detail)
    }
}
