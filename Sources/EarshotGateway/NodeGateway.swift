public import Earshot
package import GatewayCore
import MeshGateway

/// The gateway of a running node: it passes mail between the node's mesh and hubs.
///
/// One gateway serves everybody in the mesh. It keeps connected, also while the node is suspended, until it stops, the
/// node stops, or the node gets another gateway. `ChatNode.status` shows its hubs.
public actor NodeGateway {
    private let node: ChatNode
    private let gateway: Gateway
    private var reading: Task<Void, Never>?

    /// Connects a node with hubs, of which its contacts learn, in place of an earlier gateway.
    ///
    /// - Parameters:
    ///   - node: The node, started.
    ///   - addresses: At most 4, such as `tls://hub.example.org` or `tls://USER:PASSWORD@hub.example.org:4222`.
    ///   - settings: The settings of the connections.
    /// - Throws: If an address is that of no hub, or there are none, too many or equal ones. A hub that does not answer
    ///   is no error.
    public init(of node: ChatNode, hubs addresses: [String], _ settings: HubSettings = HubSettings())
        async throws(HubAddressError)
    {
        let hubs = try settings.hubs(at: addresses)
        await node.hubs?.end()
        await self.init(of: node, hubs: hubs, settings)
        let control = HubControl(
            reports: { await self.reports() },
            metrics: { await self.metrics() },
            reload: nil,
            gateway: ObjectIdentifier(self),
            begin: { await self.begin() },
            end: { await self.close() }
        )
        await node.setHubs(control)
        await node.setHubAddresses(hubs.map(\.text))
    }

    /// Connects a node with hubs.
    ///
    /// - Parameter settings: The settings of the connections, but for the proxy, which the hubs have.
    package init(of node: ChatNode, hubs: [HubURL], _ settings: HubSettings) async {
        self.node = node
        gateway = Gateway(
            hubs: hubs,
            authorities: settings.authorities,
            mesh: NodeMesh(node: node),
            hashes: .earshot,
            dayLimit: settings.dayLimit
        )
        await begin()
        await gateway.start()
    }

    /// Takes the envelopes of the node's mesh, which ends when the node suspends and begins anew after that.
    package func begin() async {
        reading?.cancel()
        let envelopes = await node.beginGateway()
        reading = Task { [gateway] in
            for await envelope in envelopes { await gateway.take([envelope]) }
        }
    }

    /// Returns the states of the hubs.
    package func reports() async -> [HubReport] { await gateway.status().map(HubReport.init) }

    /// Returns the metrics of the hubs.
    package func metrics() async -> [Metric] { HubMetrics.metrics(of: await gateway.figures()) }

    /// Ends the connections; the node goes on without hubs.
    ///
    /// - Parameter leavingHubs: Whether contacts learn that the user reads mail at these hubs no more.
    public func stop(leavingHubs: Bool = false) async {
        if await node.forgetGateway(ObjectIdentifier(self)), leavingHubs { await node.setHubAddresses([]) }
        await close()
    }

    /// Ends the connections, and leaves the node's list of hubs alone.
    package func close() async {
        reading?.cancel()
        await gateway.stop()
    }
}
