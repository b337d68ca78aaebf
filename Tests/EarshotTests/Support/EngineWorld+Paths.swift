import ChatCrypto
import Earshot
import MeshCore

@testable import ChatCore

/// Paths in the idealised mesh.
///
/// There are two links between any two nodes.
extension EngineWorld {
    /// The number of links that a payload crosses.
    static let hops = 2

    /// Pings a peer and waits for the answer; nil if no answer comes in six seconds.
    func ping(_ peer: PeerID, from index: Int = 0, isLive: Bool = false) throws -> PingAnswer? {
        let number = UInt64(nodes[index].endedPings.count)
        try step(index) { try $0.ping(peer, number: number, isLive: isLive) }
        for _ in 0..<60 where nodes[index].endedPings[number] == nil { run(for: 100) }
        return nodes[index].endedPings[number] ?? nil
    }

    /// Carries out an effect of a node on the mesh.
    func carryOut(_ effect: ChatEffect, from sender: Int) {
        pathEffects.append(effect)
        switch effect {
        case .openPath(let hello):
            let probe = Envelope(kind: .probe, life: 2, body: hello)
            labels[probe.trail] = sender
            for recipient in nodes.indices where recipient != sender { deliver(.deliver(probe), to: recipient) }
        case .sendOnPath(var message):
            if let own = message.from { labels[own] = sender }
            if message.isEnvelope, swallowsCarried { return }
            guard let recipient = labels[message.to] else { return deliver(.pathLost(message.to), to: sender) }
            message.hops += UInt8(Self.hops)
            deliver(.pathMessage(message), to: recipient)
        case .linkDirectly, .submit, .spread, .spreadFar, .recall, .fetchPieces, .endFetch, .recallSealed,
            .recallPrekeyMessages,
            .transfer, .room, .notify, .confirmed, .endPing:
            break
        }
    }

    /// The number of hellos so far.
    var helloCount: Int {
        pathEffects.count { effect in
            if case .openPath = effect { true } else { false }
        }
    }

    /// The envelopes that were carried so far.
    var carried: [Envelope] {
        payloads.filter(\.isEnvelope).compactMap { Envelope(decoding: $0.payload[...]) }
    }

    /// The payloads that were sent along paths so far.
    var payloads: [PathMessage] {
        pathEffects.compactMap { effect in
            if case .sendOnPath(let message) = effect { message } else { nil }
        }
    }
}

/// An effect of the mesh or a recalled envelope that reaches an engine.
enum Arrival: Sendable {
    case effect(MeshEffect)
    case recalled(Envelope, forGroups: Bool)

    /// Whether another node sent it.
    var isFromOutside: Bool {
        switch self {
        case .effect(.deliver), .effect(.pathMessage), .recalled: true
        case .effect: false
        }
    }

    /// Gives the arrival to an engine.
    func come(to engine: inout ChatEngine) throws {
        switch self {
        case .effect(let effect): try engine.handle(effect)
        case .recalled(let envelope, let forGroups): try engine.recall(envelope, forGroups: forGroups)
        }
    }
}

extension MeshEffect {
    /// Makes the arrival of an envelope.
    static func deliver(_ envelope: Envelope) -> MeshEffect {
        .deliver(envelope, id: SealedEnvelope(kind: envelope.kind, body: envelope.body).id)
    }
}

extension Envelope {
    /// The label of its author.
    var trail: PathLabel { PathLabel(trailOf: SealedEnvelope(kind: kind, body: body).id) }
}
