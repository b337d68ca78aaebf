import MeshCore

/// The objects that messages of whole nodes name, whose pieces travel beside them.
///
/// The author posts all pieces with the message. A recipient asks the mesh for what it lacks when the message arrives,
/// and again from time to time, as chat does.
///
/// Source: PROTOCOL §5.4 blobs, §5.5 holders.
struct ScenarioObjects: Sendable {
    /// An object and its arrival at the recipients of its message.
    private struct Object: Sendable {
        /// The number of its message.
        let message: Int
        let tag: [UInt8]
        let ids: [EnvelopeID]
        /// The pieces that each recipient has.
        var arrived: [Int: Set<EnvelopeID>] = [:]
        /// The time at which each recipient had all of them.
        var completed: [Int: MeshInstant] = [:]
        /// The time at which each recipient asks next.
        var due: [Int: MeshInstant] = [:]
    }

    private var objects: [Object] = []
    private var numbers: [EnvelopeID: Int] = [:]
    /// The largest number of hosts, besides author and recipients, that held one piece when a recipient first asked.
    private(set) var largestCopyCount: Int?
    /// The smallest such number.
    private(set) var smallestCopyCount: Int?

    /// Posts the pieces of the object that a message names.
    mutating func write(_ message: ScenarioMessage, number: Int, in net: inout SimNet) {
        guard message.pieceCount > 0, net.hosts[message.author].isOn else { return }
        let tag = Array(SimNet.body(Self.firstTag + number).prefix(ObjectTag.byteCount))
        let ids = (0..<message.pieceCount).compactMap { index in
            let rest = SimNet.body(Self.firstPiece + number * Self.mostPieces + index, byteCount: Self.byteCount)
            let body = tag + rest
            net.send(.handOver(kind: .chunk, body: body, life: 360), to: message.author)
            return net.hosts[message.author].engine?.submittedID
        }
        for id in ids { numbers[id] = objects.count }
        objects.append(Object(message: number, tag: tag, ids: ids))
    }

    /// Notes the arrival of a piece.
    mutating func take(_ delivery: SimWatch.Delivery, in net: inout SimNet) {
        guard let number = numbers[delivery.id] else { return }
        objects[number].arrived[delivery.host, default: []].insert(delivery.id)
        guard objects[number].arrived[delivery.host]?.count == objects[number].ids.count else { return }
        guard objects[number].completed[delivery.host] == nil else { return }
        objects[number].completed[delivery.host] = delivery.time
        net.send(.endFetch([objects[number].tag]), to: delivery.host)
    }

    /// Has recipients whose message is there ask for the pieces that they lack.
    mutating func fetch(_ mail: ScenarioMail, in net: inout SimNet) {
        for number in objects.indices {
            let entry = mail.entries[mail.entries.startIndex + objects[number].message]
            for (host, time) in entry.arrivals where objects[number].completed[host] == nil {
                guard objects[number].due[host] ?? time <= net.now, net.hosts[host].isOn else { continue }
                if objects[number].due[host] == nil {
                    countCopies(of: objects[number], besides: entry.message, in: net)
                }
                objects[number].due[host] = net.now.advanced(by: Self.patience)
                net.send(.fetchPieces([objects[number].tag]), to: host)
            }
        }
    }

    private mutating func countCopies(of object: Object, besides message: ScenarioMessage, in net: SimNet) {
        let others = Set(net.hostNumbers).subtracting([message.author] + message.recipients)
        let bodies = others.sorted().flatMap { host in
            net.hosts[host].engine?.storedEnvelopes(.chunk, startingWith: [object.tag]).map(\.body) ?? []
        }
        let counts = Dictionary(grouping: bodies) { $0 }.values.map(\.count)
        let leastCount = counts.count < object.ids.count ? 0 : counts.min() ?? 0
        largestCopyCount = max(largestCopyCount ?? 0, counts.max() ?? 0)
        smallestCopyCount = min(smallestCopyCount ?? .max, leastCount)
    }

    /// Returns the longest time that a recipient needed for a whole object, from the message's arrival or a later start
    /// of the host; nil if there is no object.
    func longestTime(_ mail: ScenarioMail, starts: [Int: MeshInstant], now: MeshInstant) -> Duration? {
        objects.flatMap { object in
            let entry = mail.entries[mail.entries.startIndex + object.message]
            return entry.message.recipients.map { host in
                max(entry.writtenAt, starts[host] ?? .zero).duration(to: object.completed[host] ?? now)
            }
        }.max()
    }

    /// The size of a piece, after the tag: that of a fragment of chat.
    ///
    /// Units: bytes.
    private static let byteCount = 16_372
    private static let mostPieces = 64
    private static let firstTag = 7_000_000
    private static let firstPiece = 8_000_000
    private static let patience: Duration = .seconds(30)
}
