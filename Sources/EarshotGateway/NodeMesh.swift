import ChatCrypto
import Earshot
import GatewayCore
import MeshCore
import MeshGateway

/// The mesh of a node, as its gateway needs it.
struct NodeMesh: FarMesh {
    let node: ChatNode

    func inject(_ envelopes: [Envelope]) async { await node.inject(envelopes) }

    func submitFar(kind: EnvelopeKind, body: [UInt8], life: UInt16) async {
        await node.announceGateway(body, life: life)
    }

    func noteStored(_ name: [UInt8], at hub: HubURL) async { await node.noteStored(name, at: hub.description) }

    /// Has the mesh report what is stored in its turn, own mail as such.
    func storedFar() async -> [FarEnvelope] {
        await node.reportFar()
        return []
    }
}

extension EnvelopeID {
    /// Computes the id of an envelope.
    fileprivate init(kindByte: UInt8, body: ArraySlice<UInt8>) {
        let name = EnvelopeName.bytes(kindByte: kindByte, body: Array(body))
        guard let id = EnvelopeID(bytes: name) else { preconditionFailure("an envelope name of \(name.count) bytes") }
        self = id
    }
}

extension GatewayHashes {
    /// The hashes of Earshot's protocol.
    static let earshot = GatewayHashes(
        envelopeID: { EnvelopeID(kindByte: $0, body: $1) },
        proofHash: { DeliveryProofHash.of(deliveryProof: $0) },
        hash: { SHA256.hash($0) }
    )
}
