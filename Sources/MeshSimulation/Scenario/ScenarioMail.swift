import MeshCore

/// The messages of whole nodes, with what chat sends for each.
///
/// A recipient answers with a receipt and with the delivery proof of the message, and the author answers a receipt with
/// its delivery proof. A message to several recipients, as in a group, has no delivery proof of its own, and of many
/// recipients some confirm it. In a scenario with conversations a message to one recipient, and its receipt, go along
/// the way between the two where one is known, and so need no proofs. A host that loses a way, or gets no receipt in
/// time, posts what was under way.
///
/// Source: PROTOCOL §10 content and receipts, §16.5 receipts in groups.
struct ScenarioMail: Sendable {
    /// A message and its arrivals.
    struct Entry: Sendable {
        let message: ScenarioMessage
        /// The time at which it was written.
        let writtenAt: MeshInstant
        let body: [UInt8]
        /// The time at which each host received it.
        var arrivals: [(host: Int, time: MeshInstant)] = []
        /// The recipients whose receipts have arrived.
        var acknowledgements: Set<Int> = []
    }

    private enum Part: Sendable {
        case message(Int)
        case receipt(message: Int, from: Int)
    }

    /// A message that was carried, until its receipt comes.
    private struct Carried: Sendable {
        let message: Int
        let deadline: MeshInstant
    }

    private var all: [Entry] = []
    private var firstCounted = 0
    /// The number of envelopes that hosts wrote.
    private(set) var envelopeCount = 0
    /// The number of those among them that were posted to everybody.
    private(set) var postCount = 0
    private var parts: [EnvelopeID: Part] = [:]
    private var ways = ScenarioWays()
    private var carried: [Carried] = []
    private let carries: Bool

    init(carries: Bool) { self.carries = carries }

    /// The messages that count.
    var entries: ArraySlice<Entry> { all[firstCounted...] }

    /// Begins to count; the messages before only made ways.
    mutating func beginCounting() {
        firstCounted = all.count
        carried = []
        (envelopeCount, postCount) = (0, 0)
    }

    /// Writes a message, if its author is on.
    mutating func write(_ message: ScenarioMessage, in net: inout SimNet) {
        guard net.hosts[message.author].isOn else { return }
        let number = all.count
        let body = Self.body(number, recipient: nil, byteCount: message.kind == .sealed ? Self.byteCount : 256)
        all.append(Entry(message: message, writtenAt: net.now, body: body))
        send(number, &net)
    }

    /// Notes an arrival, and answers it as its host would.
    mutating func take(_ delivery: SimWatch.Delivery, in net: inout SimNet) {
        switch parts[delivery.id] {
        case .message(let number):
            let message = all[number].message
            guard message.recipients.isEmpty || message.recipients.contains(delivery.host) else { return }
            // The post of a message that was carried before is confirmed again, so that it ends.
            let isRepeated = all[number].arrivals.contains { $0.host == delivery.host }
            guard !isRepeated || delivery.way == nil else { return }
            if !isRepeated { all[number].arrivals.append((delivery.host, delivery.time)) }
            let confirming = message.recipients.prefix(Self.confirmingCount(of: message))
            if confirming.contains(delivery.host) { confirm(number, by: delivery, &net) }
        case .receipt(let number, let recipient):
            let author = all[number].message.author
            guard delivery.host == author else { return }
            all[number].acknowledgements.insert(recipient)
            if let way = delivery.way { return ways.note(way, from: author, to: recipient) }
            if carries { ways.follow(PathLabel(trailOf: delivery.id), from: author, to: recipient) }
            submit(.release, Self.deliveryProof(number, recipient: recipient), from: author, as: nil, &net)
        case nil: break
        }
    }

    /// Posts what was carried and is not confirmed in time.
    mutating func postOverdue(in net: inout SimNet) {
        guard let first = carried.first, first.deadline <= net.now else { return }
        let overdue = carried.prefix { $0.deadline <= net.now }.map(\.message)
        carried.removeFirst(overdue.count)
        for number in overdue where all[number].acknowledgements.isEmpty {
            ways.end(from: all[number].message.author, to: all[number].message.recipients[0])
            postUnconfirmed(number, &net)
        }
    }

    /// Posts what is under way along a way that a host has lost.
    mutating func lose(_ label: PathLabel, at host: Int, in net: inout SimNet) {
        guard let other = ways.lose(label, at: host) else { return }
        let isLost = carried.map { entry in
            let message = all[entry.message].message
            return message.author == host && message.recipients[0] == other
        }
        let lost = zip(carried, isLost).filter(\.1).map(\.0.message)
        carried = zip(carried, isLost).filter { !$0.1 }.map(\.0)
        for number in lost { postUnconfirmed(number, &net) }
    }

    private mutating func postUnconfirmed(_ number: Int, _ net: inout SimNet) {
        guard all[number].acknowledgements.isEmpty, net.hosts[all[number].message.author].isOn else { return }
        post(number, &net)
    }

    // MARK: - Sending

    /// Carries a message if there is a way, and else posts it.
    private mutating func send(_ number: Int, _ net: inout SimNet) {
        let message = all[number].message
        let isDirect = message.recipients.count == 1
        guard isDirect, carry(all[number].body, from: message.author, to: message.recipients[0], &net) else {
            return post(number, &net)
        }
        parts[net.envelopeID(of: all[number].body)] = .message(number)
        carried.append(Carried(message: number, deadline: net.now.advanced(by: Self.patience)))
    }

    private mutating func post(_ number: Int, _ net: inout SimNet) {
        let message = all[number].message
        let life: UInt16 = message.kind == .sealed ? 360 : 2
        submit(message.kind, all[number].body, life: life, from: message.author, as: .message(number), &net)
    }

    private mutating func confirm(_ number: Int, by delivery: SimWatch.Delivery, _ net: inout SimNet) {
        let (author, recipient) = (all[number].message.author, delivery.host)
        let body = Self.body(number, recipient: recipient, byteCount: Self.byteCount)
        let isDirect = all[number].message.recipients.count == 1
        if isDirect, carries {
            if let way = delivery.way {
                ways.note(way, from: recipient, to: author)
            } else {
                ways.follow(PathLabel(trailOf: delivery.id), from: recipient, to: author)
            }
        }
        let part = Part.receipt(message: number, from: recipient)
        // A post is confirmed by a post, so that no relay that swallows what is carried keeps receipts away.
        if isDirect, delivery.way != nil, carry(body, from: recipient, to: author, &net) {
            parts[net.envelopeID(of: body)] = part
        } else {
            submit(.sealed, body, from: recipient, as: part, &net)
        }
        guard isDirect, delivery.way == nil else { return }
        submit(.release, Self.deliveryProof(number, recipient: nil), from: recipient, as: nil, &net)
    }

    /// Carries a message or receipt; returns false if no way is known.
    private mutating func carry(_ body: [UInt8], from host: Int, to other: Int, _ net: inout SimNet) -> Bool {
        guard let message = ways.message(Envelope(kind: .sealed, life: 360, body: body), from: host, to: other) else {
            return false
        }
        envelopeCount += 1
        net.sendOnPath(message, from: host)
        return true
    }

    private mutating func submit(
        _ kind: EnvelopeKind,
        _ body: [UInt8],
        life: UInt16 = 360,
        from host: Int,
        as part: Part?,
        _ net: inout SimNet
    ) {
        guard let id = net.submit(kind, body: body, life: life, from: host) else { return }
        envelopeCount += 1
        postCount += 1
        if let part { parts[id] = part }
    }

    // MARK: - Content

    /// The number of recipients who confirm a message: all of a few, and a sample of many.
    static func confirmingCount(of message: ScenarioMessage) -> Int {
        message.recipients.count < 32 ? message.recipients.count : 16
    }

    /// Creates a body that begins with the hash of its delivery proof.
    private static func body(_ number: Int, recipient: Int?, byteCount: Int) -> [UInt8] {
        let hash = NullCryptography().proofHash(deliveryProof: deliveryProof(number, recipient: recipient))
        return hash + [UInt8](repeating: 1, count: byteCount - hash.count)
    }

    private static func deliveryProof(_ number: Int, recipient: Int?) -> [UInt8] {
        Array(SimNet.body(4_000_000 + number * 10_001 + (recipient.map { $0 + 1 } ?? 0)).prefix(16))
    }

    /// The size of a short text message and of a receipt: the smallest bucket, after the hash.
    ///
    /// Units: bytes.
    private static let byteCount = 272
    /// The time after which a carried message without a receipt is posted.
    private static let patience: Duration = .seconds(2)
}

extension SimNet {
    /// The id of a sealed envelope.
    fileprivate func envelopeID(of body: [UInt8]) -> EnvelopeID {
        let envelope = Envelope(kind: .sealed, life: 0, body: body)
        return NullCryptography().envelopeID(kindByte: envelope.kindByte, body: body[...])
    }

    /// Sends a payload from a host that is on.
    fileprivate mutating func sendOnPath(_ message: PathMessage, from host: Int) {
        send(.sendOnPath(message), to: host)
    }
}
