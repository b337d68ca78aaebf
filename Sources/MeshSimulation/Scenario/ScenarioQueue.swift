import MeshCore

/// The envelopes under way between the hosts of a scenario, and the messages that wait for a way.
///
/// All times are equally long, so that both lists are in the order of their ends.
struct ScenarioQueue: Sendable {
    /// An envelope of a conversation.
    enum Part: Hashable, Sendable {
        case message(Int)
        case receipt(message: Int, from: Int)
        case release(message: Int, from: Int)
    }

    /// Two hosts, the first of which sends.
    struct Pair: Hashable, Sendable {
        let host: Int
        let other: Int
    }

    private struct UnderWay: Sendable {
        let part: Part
        let pair: Pair
        let deadline: MeshInstant
    }

    private var underWay: [UnderWay] = []
    private var openings: [(pair: Pair, deadline: MeshInstant)] = []
    private var waiting: [Pair: [Int]] = [:]

    // MARK: - Under way

    /// Notes that a part was carried; it is confirmed within the patience, or posted.
    mutating func carry(_ part: Part, along pair: Pair, at now: MeshInstant) {
        underWay.append(UnderWay(part: part, pair: pair, deadline: now.advanced(by: Self.patience)))
    }

    /// Ends a part, which has arrived; returns whether it was under way.
    @discardableResult
    mutating func confirm(_ part: Part) -> Bool {
        guard let index = underWay.firstIndex(where: { $0.part == part }) else { return false }
        underWay.remove(at: index)
        return true
    }

    /// Takes the parts that were not confirmed in time.
    mutating func takeOverdue(at now: MeshInstant) -> [(part: Part, pair: Pair)] {
        let overdue = underWay.prefix { $0.deadline <= now }
        defer { underWay.removeFirst(overdue.count) }
        return overdue.map { ($0.part, $0.pair) }
    }

    /// Takes the parts that are under way between two hosts.
    mutating func take(along pair: Pair) -> [Part] {
        let taken = underWay.filter { $0.pair == pair }
        underWay.removeAll { $0.pair == pair }
        return taken.map(\.part)
    }

    // MARK: - Opening

    /// Has the next messages wait for the way that a post may open, for as long as the patience.
    mutating func open(_ pair: Pair, at now: MeshInstant) {
        guard waiting[pair] == nil else { return }
        waiting[pair] = []
        openings.append((pair, now.advanced(by: Self.patience)))
    }

    /// Keeps a message that has to wait; returns false if it need not.
    mutating func hold(_ message: Int, for pair: Pair) -> Bool {
        guard waiting[pair] != nil else { return false }
        waiting[pair]?.append(message)
        return true
    }

    /// Takes the messages that have waited for a way.
    mutating func takeWaiting(for pair: Pair) -> [Int] {
        openings.removeAll { $0.pair == pair }
        return waiting.removeValue(forKey: pair) ?? []
    }

    /// Takes the messages that have waited as long as they are to.
    mutating func takeLongWaiting(at now: MeshInstant) -> [Int] {
        let pairs = openings.prefix { $0.deadline <= now }.map(\.pair)
        return pairs.flatMap { takeWaiting(for: $0) }
    }

    /// The time after which a carried message or receipt that is not confirmed is posted.
    private static let patience: Duration = .seconds(2)
}
