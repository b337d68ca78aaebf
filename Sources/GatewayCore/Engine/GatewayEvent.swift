package import MeshCore

/// An occurrence for the engine of a gateway.
package enum GatewayEvent: Sendable {
    /// The mesh has delivered an envelope that a link brought, or holds it in its store; nil for this node's own.
    case envelope(Envelope, EnvelopeID, from: LinkID?)
    /// The connection to the hub of this number is open, to a server with this part in it.
    case opened(Int, HubRole)
    /// The connection to the hub of this number could not be made.
    case failed(Int, HubError)
    /// The hub of this number has sent a message.
    case hub(Int, HubEvent)
    /// The deadline has come.
    case tick
}

/// A command of the engine of a gateway to its shell.
package enum GatewayEffect: Sendable {
    /// Connect to the hub of this number, and report `opened` or `failed`.
    case open(Int)
    /// End the connection to the hub of this number.
    case close(Int)
    /// Send requests, whose questions have the engine's own numbers, to the hub of this number.
    case ask(Int, [HubRequest])
    /// Hand an envelope to the mesh, as from afar.
    case inject(Envelope)
    /// Send an envelope of this node through the mesh.
    ///
    /// Units of the life: ticks of 10 s.
    case submit(EnvelopeKind, body: [UInt8], life: UInt16)
    /// Report to the chat that the hub of this number has acknowledged own mail of this name.
    ///
    /// Shape of the name: 16 bytes.
    case noteStored(name: [UInt8], Int)
    /// Report all stored envelopes of kind FAR once more, oldest first; each hub takes those that it lacks.
    case goThroughStore
}

/// The hashes that a gateway needs; this module has no cryptography of its own.
package struct GatewayHashes: Sendable {
    /// Computes the id of an envelope from its first byte and its body.
    let envelopeID: @Sendable (UInt8, ArraySlice<UInt8>) -> EnvelopeID
    /// Computes the hash of a delivery proof.
    ///
    /// Shape: 16 bytes in, 16 bytes out.
    let proofHash: @Sendable ([UInt8]) -> [UInt8]
    /// Computes a hash of 32 bytes.
    let hash: @Sendable ([UInt8]) -> [UInt8]

    /// Creates the set of hashes.
    package init(
        envelopeID: @escaping @Sendable (UInt8, ArraySlice<UInt8>) -> EnvelopeID,
        proofHash: @escaping @Sendable ([UInt8]) -> [UInt8],
        hash: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.envelopeID = envelopeID
        self.proofHash = proofHash
        self.hash = hash
    }
}
