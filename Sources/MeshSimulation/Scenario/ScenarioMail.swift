import MeshCore

/// The messages of whole nodes, with what chat sends for each.
///
/// A recipient answers with a receipt and with the delivery proof of the message, and the author answers a receipt with
/// its delivery proof. A message to several recipients, as in a group, has no delivery proof of its own, and of many
/// recipients some confirm it. In a scenario that carries, a message to one recipient goes along the way between the two
/// where one is known, and its receipt needs no proof. The receipt for a post goes along its trail, and its proof comes
/// back along the way. In a large group receipts are gathered, and their author posts the proofs together. A host that
/// loses a way, or gets no receipt or proof in time, posts what was under way. After a post the next messages to the same
/// recipient wait for a way. Those that have waited in vain are posted one by one, where chat would seal them together.
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
        /// The hosts to which it came by a post.
        private var postedTo: Set<Int> = []
        /// The hosts to which it came along a way.
        private var carriedTo: Set<Int> = []
        /// The time at which it first came along a way; nil if it never did.
        private(set) var carriedAt: MeshInstant?
        /// The number of copies that came to a host as one before did: by a post, or along a way.
        private(set) var repeatCount = 0
        /// The recipients whose receipts have arrived.
        var acknowledgements: Set<Int> = []

        init(message: ScenarioMessage, writtenAt: MeshInstant, body: [UInt8]) {
            (self.message, self.writtenAt, self.body) = (message, writtenAt, body)
        }

        /// Notes a copy that a mesh handed to a host.
        mutating func noteCopy(_ delivery: SimWatch.Delivery) {
            let (host, isCarried) = (delivery.host, delivery.way != nil)
            let isFirst = isCarried ? carriedTo.insert(host).inserted : postedTo.insert(host).inserted
            if !isFirst { repeatCount += 1 }
            if isCarried, carriedAt == nil { carriedAt = delivery.time }
        }
    }

    private typealias Part = ScenarioQueue.Part
    private typealias Pair = ScenarioQueue.Pair
    private typealias GatheredReceipt = (pair: Pair, messages: [Int], until: MeshInstant)

    private var all: [Entry] = []
    private var firstCounted = 0
    /// The number of envelopes that hosts wrote.
    private(set) var envelopeCount = 0
    /// The number of those among them that were posted to everybody.
    private(set) var postCount = 0
    private var parts: [EnvelopeID: Part] = [:]
    private var ways = ScenarioWays()
    private var queue = ScenarioQueue()
    private var receipts = ScenarioGathering<Pair, (message: Int, until: MeshInstant)>()
    private var releases = ScenarioGathering<Int, Part>()
    /// The messages that each gathered receipt confirms, until its proof is posted or it has waited for that too long.
    private var gathered: [Part: GatheredReceipt] = [:]
    private let carries: Bool

    init(carries: Bool) { self.carries = carries }

    /// The messages that count.
    var entries: ArraySlice<Entry> { all[firstCounted...] }

    /// The numbers of all messages to everybody, by the first bytes of their bodies, with those that do not count.
    var numbersForAll: [[UInt8]: Int] {
        let numbers = all.indices.filter { all[$0].message.recipients.isEmpty }
        return Dictionary(numbers.map { (Array(all[$0].body.prefix(16)), $0) }) { first, _ in first }
    }

    /// Begins to count; the messages before only made ways.
    mutating func beginCounting() {
        firstCounted = all.count
        queue = ScenarioQueue()
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
            all[number].noteCopy(delivery)
            // The post of a message that was carried before is confirmed again, so that it ends.
            let isRepeated = all[number].arrivals.contains { $0.host == delivery.host }
            guard !isRepeated || delivery.way == nil else { return }
            if !isRepeated { all[number].arrivals.append((delivery.host, delivery.time)) }
            let confirming = message.recipients.prefix(Self.confirmingCount(of: message))
            if confirming.contains(delivery.host) { confirm(number, by: delivery, &net) }
        case .receipt(let number, let recipient): take(delivery, of: number, by: recipient, in: &net)
        case .release(let number, let recipient):
            guard delivery.host == recipient, let way = delivery.way else { return }
            ways.note((way.to, nil), from: recipient, to: all[number].message.author)
            queue.confirm(.receipt(message: number, from: recipient), at: net.now)
        case nil: break
        }
    }

    /// Notes a receipt that has arrived, and answers it.
    private mutating func take(_ delivery: SimWatch.Delivery, of number: Int, by recipient: Int, in net: inout SimNet) {
        let author = all[number].message.author
        guard delivery.host == author else { return }
        if let receipt = gathered[.receipt(message: number, from: recipient)] {
            for message in receipt.messages { all[message].acknowledgements.insert(recipient) }
            note(delivery, from: author, to: recipient, &net)
            return releases.add(.receipt(message: number, from: recipient), for: author, at: net.now)
        }
        all[number].acknowledgements.insert(recipient)
        let wasUnderWay = queue.confirm(.message(number), at: net.now)
        note(delivery, from: author, to: recipient, &net)
        let proof = Self.deliveryProof(number, recipient: recipient)
        guard delivery.way != nil else { return submit(.release, proof, from: author, as: nil, &net) }
        let part = Part.release(message: number, from: recipient)
        if !wasUnderWay { carry(.release, proof, as: part, from: author, to: recipient, &net) }
    }

    /// Notes by which way something came to a host, and sends what has waited for one.
    private mutating func note(_ delivery: SimWatch.Delivery, from host: Int, to other: Int, _ net: inout SimNet) {
        guard carries else { return }
        if let way = delivery.way {
            ways.note(way, from: host, to: other)
        } else {
            ways.follow(PathLabel(trailOf: delivery.id), from: host, to: other)
        }
        for number in queue.takeWaiting(for: Pair(host: host, other: other)) { send(number, &net) }
    }

    /// Posts what was carried and is not confirmed in time, and sends what has waited for a way in vain.
    mutating func postOverdue(in net: inout SimNet) {
        for (part, pair) in queue.takeOverdue(at: net.now) {
            ways.end(from: pair.host, to: pair.other)
            postUnconfirmed(part, &net)
        }
        for number in queue.takeLongWaiting(at: net.now) { send(number, &net) }
        sendGathered(&net)
    }

    /// Sends the receipts and proofs that have been gathered.
    private mutating func sendGathered(_ net: inout SimNet) {
        for part in gatheredParts(where: { $0.until <= net.now }) {
            gathered[part]?.until = .distantFuture
            postUnconfirmed(part, &net)
        }
        for (pair, items) in receipts.take(until: net.now) where net.hosts[pair.host].isOn {
            let part = Part.receipt(message: items[0].message, from: pair.host)
            let body = Self.receipt(items[0].message, from: pair.host)
            gathered[part] = (pair, items.map(\.message), net.now.advanced(by: Self.trailPatience))
            guard !carry(.sealed, body, as: part, from: pair.host, to: pair.other, &net) else { continue }
            if items[0].until <= net.now {
                gathered[part]?.until = .distantFuture
                postUnconfirmed(part, &net)
            } else {
                // Without a way it waits for one.
                gathered[part] = nil
                for item in items { receipts.add(item, for: pair, at: net.now) }
            }
        }
        for (author, parts) in releases.take(until: net.now) where net.hosts[author].isOn {
            let proofs = parts.map { part in
                gathered.removeValue(forKey: part).map { Self.deliveryProof($0.messages[0], recipient: $0.pair.host) }
                    ?? []
            }
            let count = [1, 4, 16, 64].first { $0 >= parts.count } ?? 64
            let body = proofs.flatMap { $0 } + [UInt8](repeating: 0, count: max(0, (count - parts.count) * 16))
            submit(.release, body, from: author, as: nil, &net)
        }
    }

    /// Posts what is under way along a way that a host has lost.
    mutating func lose(_ label: PathLabel, at host: Int, in net: inout SimNet) {
        guard let other = ways.lose(label, at: host) else { return }
        let pair = Pair(host: host, other: other)
        let receipts = gatheredParts { $0.pair == pair }
        for part in queue.take(along: pair) + receipts { postUnconfirmed(part, &net) }
    }

    /// Returns the gathered receipts that wait and meet a condition, in an order that is the same in every run.
    private func gatheredParts(where isMet: (GatheredReceipt) -> Bool) -> [Part] {
        gathered.filter { isMet($0.value) }
            .sorted { ($0.value.messages[0], $0.value.pair.host) < ($1.value.messages[0], $1.value.pair.host) }
            .map(\.key)
    }

    private mutating func postUnconfirmed(_ part: Part, _ net: inout SimNet) {
        switch part {
        case .message(let number): if net.hosts[all[number].message.author].isOn { post(number, &net) }
        case .receipt(let number, let recipient):
            guard net.hosts[recipient].isOn else { return }
            submit(.sealed, Self.receipt(number, from: recipient), from: recipient, as: part, &net)
        case .release: break
        }
    }

    // MARK: - Sending

    /// Carries a message if there is a way, has it wait for one, or posts it.
    private mutating func send(_ number: Int, _ net: inout SimNet) {
        let message = all[number].message
        guard carries, message.recipients.count == 1, net.hosts[message.author].isOn else { return post(number, &net) }
        let pair = Pair(host: message.author, other: message.recipients[0])
        let part = Part.message(number)
        if carry(.sealed, all[number].body, as: part, from: pair.host, to: pair.other, &net) {
            queue.carry(part, along: pair, at: net.now)
        } else if !queue.hold(number, for: pair) {
            post(number, &net)
            queue.open(pair, at: net.now)
        }
    }

    private mutating func post(_ number: Int, _ net: inout SimNet) {
        let message = all[number].message
        let life: UInt16 = message.kind == .sealed ? 360 : 2
        submit(message.kind, all[number].body, life: life, from: message.author, as: .message(number), &net)
    }

    private mutating func confirm(_ number: Int, by delivery: SimWatch.Delivery, _ net: inout SimNet) {
        let (author, recipient) = (all[number].message.author, delivery.host)
        let isDirect = all[number].message.recipients.count == 1
        if isDirect || carries { note(delivery, from: recipient, to: author, &net) }
        guard !carries || all[number].message.recipients.count < Self.gatheredMemberCount else {
            let until = net.now.advanced(by: Self.trailPatience)
            return receipts.add((number, until), for: Pair(host: recipient, other: author), at: net.now)
        }
        let (part, body) = (Part.receipt(message: number, from: recipient), Self.receipt(number, from: recipient))
        if isDirect || carries, carry(.sealed, body, as: part, from: recipient, to: author, &net) {
            // Nobody keeps the receipt of what was carried: its author posts that if the receipt is lost.
            if delivery.way == nil { queue.carry(part, along: Pair(host: recipient, other: author), at: net.now) }
        } else {
            submit(.sealed, body, from: recipient, as: part, &net)
        }
        guard isDirect, delivery.way == nil else { return }
        submit(.release, Self.deliveryProof(number, recipient: nil), from: recipient, as: nil, &net)
    }

    /// Carries an envelope; returns false if no way is known.
    @discardableResult
    private mutating func carry(
        _ kind: EnvelopeKind,
        _ body: [UInt8],
        as part: Part,
        from host: Int,
        to other: Int,
        _ net: inout SimNet
    ) -> Bool {
        let envelope = Envelope(kind: kind, life: 360, body: body)
        guard let message = ways.message(envelope, from: host, to: other) else { return false }
        parts[net.envelopeID(of: envelope)] = part
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

    private static func receipt(_ number: Int, from recipient: Int) -> [UInt8] {
        body(number, recipient: recipient, byteCount: byteCount)
    }

    private static func deliveryProof(_ number: Int, recipient: Int?) -> [UInt8] {
        Array(SimNet.body(4_000_000 + number * 10_001 + (recipient.map { $0 + 1 } ?? 0)).prefix(16))
    }

    /// The time for which a gathered receipt waits for a way, and then for its proof.
    private static let trailPatience: Duration = .seconds(60)
    /// The number of recipients from which receipts are gathered.
    private static let gatheredMemberCount = 8
    /// The size of a short text message and of a receipt: the smallest bucket, after the hash.
    ///
    /// Units: bytes.
    private static let byteCount = 272
}

extension SimNet {
    /// The id of an envelope.
    fileprivate func envelopeID(of envelope: Envelope) -> EnvelopeID {
        NullCryptography().envelopeID(kindByte: envelope.kindByte, body: envelope.body[...])
    }

    /// Sends a payload from a host that is on.
    fileprivate mutating func sendOnPath(_ message: PathMessage, from host: Int) {
        send(.sendOnPath(message), to: host)
    }
}
