package import GatewayCore
package import MeshCore

/// The mesh, as a gateway needs it.
package protocol FarMesh: Sendable {
    /// Takes envelopes from afar.
    func inject(_ envelopes: [Envelope]) async
    /// Sends an envelope of this node.
    ///
    /// - Parameter life: Its life. Units: ticks of 10 s.
    func submitFar(kind: EnvelopeKind, body: [UInt8], life: UInt16) async
    /// Notes that a hub has acknowledged own mail of this name.
    func noteStored(_ name: [UInt8], at hub: HubURL) async
    /// Returns the stored envelopes of kind FAR that were not injected and whose delivery proof has not come, oldest
    /// first.
    ///
    /// A mesh may also return none and have the gateway take them later.
    func storedFar() async -> [FarEnvelope]
}
