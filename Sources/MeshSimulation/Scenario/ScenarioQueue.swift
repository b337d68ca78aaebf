import MeshCore

/// The envelopes under way between the hosts of a scenario, and the messages that wait for a way.
///
/// Source: PROTOCOL §10 carrying.
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
        let sentAt: MeshInstant
        let deadline: MeshInstant
    }

    private var underWay: [UnderWay] = []
    /// The time from the sending of the last confirmed part to that, for each way.
    private var roundTrips: [Pair: Duration] = [:]
    private var openings: [(pair: Pair, deadline: MeshInstant)] = []
    private var waiting: [Pair: [Int]] = [:]

    // MARK: - Under way

    /// Notes that a part was carried; it is confirmed within four round trips of the way, or posted.
    mutating func carry(_ part: Part, along pair: Pair, at now: MeshInstant) {
        let patience = roundTrips[pair].map { min(max($0 * 4, Self.leastPatience), Self.patience) }
        let deadline = now.advanced(by: patience ?? Self.firstPatience)
        underWay.append(UnderWay(part: part, pair: pair, sentAt: now, deadline: deadline))
    }

    /// Ends a part, which has arrived; returns whether it was under way.
    @discardableResult
    mutating func confirm(_ part: Part, at now: MeshInstant) -> Bool {
        guard let index = underWay.firstIndex(where: { $0.part == part }) else { return false }
        let confirmed = underWay.remove(at: index)
        roundTrips[confirmed.pair] = confirmed.sentAt.duration(to: now)
        return true
    }

    /// Takes all that is under way along ways on which something was not confirmed in time.
    mutating func takeOverdue(at now: MeshInstant) -> [(part: Part, pair: Pair)] {
        var taken: [(part: Part, pair: Pair)] = []
        while let pair = underWay.first(where: { $0.deadline <= now })?.pair {
            taken += take(along: pair).map { ($0, pair) }
        }
        return taken
    }

    /// Takes the parts that are under way between two hosts, whose way has ended.
    mutating func take(along pair: Pair) -> [Part] {
        let taken = underWay.filter { $0.pair == pair }
        underWay.removeAll { $0.pair == pair }
        roundTrips[pair] = nil
        return taken.map(\.part)
    }

    // MARK: - Opening

    /// Has the next messages wait for the way that a post may open.
    mutating func open(_ pair: Pair, at now: MeshInstant) {
        guard waiting[pair] == nil else { return }
        waiting[pair] = []
        openings.append((pair, now.advanced(by: Self.firstPatience)))
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

    /// The longest time after which a carried message or receipt that is not confirmed is posted.
    private static let patience: Duration = .seconds(2)
    /// That time before anything was confirmed on a way, and the time for which messages wait for a way.
    private static let firstPatience: Duration = .seconds(1)
    /// The shortest such time after something was confirmed.
    private static let leastPatience: Duration = .milliseconds(500)
}
