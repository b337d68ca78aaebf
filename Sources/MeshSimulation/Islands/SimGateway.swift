import Foundation
import GatewayCore
import MeshCore

/// A host that is a gateway: its engine, and its connection to the hub.
struct SimGateway: Sendable {
    /// The host.
    let host: Int
    private(set) var engine: GatewayEngine
    /// The number of the connection, so that messages of an earlier one are dropped.
    var connection = 0
    /// The envelopes that it handed to its mesh.
    var injected: [EnvelopeID] = []
    /// The time at which the engine is to be called; nil if it waits for nothing.
    private(set) var deadline: MeshInstant?

    init(host: Int, hub: HubURL, random: MeshRandom, date: Date) {
        self.host = host
        engine = GatewayEngine(hubs: [hub], hashes: .simulated, random: random, date: date)
        deadline = engine.nextDeadline
    }

    /// Passes an event to the engine, and returns its effects.
    mutating func handle(_ event: GatewayEvent, now: MeshInstant, date: Date) -> [GatewayEffect] {
        let effects = engine.handle(event, now: now, date: date)
        deadline = engine.nextDeadline
        return effects
    }
}

extension GatewayHashes {
    /// The checksums of ``NullCryptography``.
    fileprivate static let simulated = GatewayHashes(
        envelopeID: { NullCryptography().envelopeID(kindByte: $0, body: $1) },
        proofHash: { NullCryptography().proofHash(deliveryProof: $0) },
        hash: { bytes in
            let code = NullCryptography().authenticationCode(of: bytes, key: [1])
            return code + NullCryptography().authenticationCode(of: bytes, key: [2])
        }
    )
}
