package import MeshCore
import MeshTransport

/// The node as a gateway, which passes mail between its mesh and hubs.
extension ChatNode {
    /// Begins a gateway: returns the envelopes that concern it, those that are stored first.
    ///
    /// They end when the node stops or suspends.
    ///
    /// - Parameter hubs: Returns the states of its hubs, for the node's status.
    package func beginGateway(
        hubs: @escaping @Sendable () async -> [HubReport]
    ) async -> AsyncStream<FarEnvelope> {
        hubReports = hubs
        return await mesh.farEnvelopes()
    }

    /// Ends the gateway.
    package func endGateway() { hubReports = nil }

    /// Takes mail that the gateway fetched.
    package func inject(_ envelopes: [Envelope]) async { await mesh.inject(envelopes) }

    /// Spreads an announcement of the gateway; this node follows it too.
    package func announceGateway(_ body: [UInt8], life: UInt16) async {
        await mesh.submit([OwnEnvelope(kind: .gateway, body: body, life: life)])
        await account.hearGateway(body)
    }

    /// Reports all stored envelopes that concern the gateway once more.
    package func reportFar() async { await mesh.reportFar() }
}
