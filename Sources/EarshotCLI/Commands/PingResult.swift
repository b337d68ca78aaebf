import EarshotRPC

/// The results of several pings.
struct PingResult: Equatable {
    /// The name of the error that means silence.
    static let noAnswer = "noAnswer"

    /// The answer to one ping.
    struct Answer: Encodable, Equatable {
        let hops: Int
        /// Units: seconds.
        let rtt: Double
    }

    /// The id of the peer; nil while it has not answered.
    private(set) var peer: String?
    /// The answers in the order of the pings; nil for a ping without an answer so far.
    private(set) var answers: [Answer?] = []

    var answered: Int { answers.count { $0 != nil } }

    /// Adds a ping that has been sent; returns its position.
    mutating func begin() -> Int {
        answers.append(nil)
        return answers.count - 1
    }

    /// Records the answer to the ping at a position.
    mutating func note(_ reply: PingCall.Reply, at place: Int) {
        peer = reply.peer
        answers[place] = Answer(hops: reply.hops, rtt: reply.rtt)
    }

    private var lost: Int { answers.count - answered }

    /// The share of lost pings, from 0 to 1.
    private var loss: Double { answers.isEmpty ? 0 : Double(lost) / Double(answers.count) }

    /// The times of the answers, ascending.
    ///
    /// Units: seconds.
    private var times: [Double] { answers.compactMap { $0?.rtt }.sorted() }

    /// Returns the longest time of this share of the fastest answers; nil if there are none.
    private static func time(of part: Double, in sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        return sorted[max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1)]
    }

    /// The summary for a person.
    var summary: [String] {
        let percent = (loss * 1_000).rounded() / 10
        let share = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
        let counts = "\(answers.count) sent, \(answered) answered, \(lost) lost (\(share) %)"
        let shown = [0, 0.5, 0.99, 1].compactMap { Self.time(of: $0, in: times) }
        guard !shown.isEmpty else { return [counts] }
        let text = shown.map(TimeText.roundTrip).joined(separator: " / ")
        return [counts, "round trip \(text) (minimum, median, 99 of 100, maximum)"]
    }
}

extension PingResult: Encodable {
    private enum CodingKeys: CodingKey {
        case peer, sent, answered, lost, loss, answers, min, avg, median, p99, max
    }

    func encode(to encoder: any Encoder) throws {
        let times = times
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(peer, forKey: .peer)
        try container.encode(answers.count, forKey: .sent)
        try container.encode(answered, forKey: .answered)
        try container.encode(lost, forKey: .lost)
        try container.encode(loss, forKey: .loss)
        try container.encode(answers, forKey: .answers)
        guard let least = times.first, let most = times.last else { return }
        try container.encode(least, forKey: .min)
        try container.encode(times.reduce(0, +) / Double(times.count), forKey: .avg)
        try container.encodeIfPresent(Self.time(of: 0.5, in: times), forKey: .median)
        try container.encodeIfPresent(Self.time(of: 0.99, in: times), forKey: .p99)
        try container.encode(most, forKey: .max)
    }
}
