import MeshCore

/// The messages of whole nodes, with what chat sends for each.
///
/// A recipient answers with a receipt and with the delivery proof of the message, and the author answers a receipt with
/// its delivery proof. A message to several recipients, as in a group, has no delivery proof of its own.
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

    private(set) var entries: [Entry] = []
    /// The number of envelopes that hosts wrote.
    private(set) var envelopeCount = 0
    private var parts: [EnvelopeID: Part] = [:]

    /// Writes a message, if its author is on.
    mutating func write(_ message: ScenarioMessage, in net: inout SimNet) {
        guard net.hosts[message.author].isOn else { return }
        let body = Self.body(entries.count, recipient: nil, byteCount: message.kind == .sealed ? Self.byteCount : 256)
        let life: UInt16 = message.kind == .sealed ? 360 : 2
        entries.append(Entry(message: message, writtenAt: net.now, body: body))
        submit(message.kind, body, life: life, from: message.author, as: .message(entries.count - 1), &net)
    }

    /// Notes an arrival, and answers it as its host would.
    mutating func take(_ delivery: SimWatch.Delivery, in net: inout SimNet) {
        switch parts[delivery.id] {
        case .message(let number):
            let message = entries[number].message
            entries[number].arrivals.append((delivery.host, delivery.time))
            guard message.recipients.contains(delivery.host) else { return }
            let body = Self.body(number, recipient: delivery.host, byteCount: Self.byteCount)
            submit(.sealed, body, from: delivery.host, as: .receipt(message: number, from: delivery.host), &net)
            guard message.recipients.count == 1 else { return }
            submit(.release, Self.deliveryProof(number, recipient: nil), from: delivery.host, as: nil, &net)
        case .receipt(let number, let recipient):
            guard delivery.host == entries[number].message.author else { return }
            entries[number].acknowledgements.insert(recipient)
            submit(.release, Self.deliveryProof(number, recipient: recipient), from: delivery.host, as: nil, &net)
        case nil: break
        }
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
        if let part { parts[id] = part }
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
}
