public import Earshot
package import GatewayCore
import MeshGateway

/// The gateway of a node: it passes mail between the node's mesh and hubs.
///
/// One gateway serves everybody in the mesh. It is connected while the node runs: it leaves its hubs when the node
/// suspends, comes back with it, and ends with it, or when the node gets another gateway. `ChatNode.status` shows its
/// hubs.
public actor NodeGateway {
    private let node: ChatNode
    private let hubs: [HubURL]
    private let settings: HubSettings
    /// The gateway that is connected; it does not start again, so each connection of the node has a new one.
    private var gateway: Gateway?
    /// The bytes of the day; those that an earlier connection used stay used.
    private(set) var allowance: DayAllowance
    private var reading: Task<Void, Never>?

    /// Connects a node with hubs, of which its contacts learn, in place of an earlier gateway.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - addresses: At most 4, such as `tls://hub.example.org` or `tls://USER:PASSWORD@hub.example.org:4222`.
    ///   - settings: The settings of the connections.
    /// - Throws: If an address is that of no hub, or there are none, too many or equal ones. A hub that does not answer
    ///   is no error.
    public init(of node: ChatNode, hubs addresses: [String], _ settings: HubSettings = HubSettings())
        async throws(HubAddressError)
    {
        self.init(of: node, hubs: try settings.hubs(at: addresses), settings)
        let control = HubControl(
            reports: { await self.reports() },
            metrics: { await self.metrics() },
            reload: nil,
            gateway: ObjectIdentifier(self),
            begin: { await self.begin() },
            leave: { await self.leave() }
        )
        await node.setHubAddresses(hubs.map(\.text))
        await node.take(control)
    }

    /// Prepares a gateway, which begins by `begin()`.
    ///
    /// - Parameter settings: The settings of the connections, but for the proxy, which the hubs have.
    package init(of node: ChatNode, hubs: [HubURL], _ settings: HubSettings) {
        (self.node, self.hubs, self.settings) = (node, hubs, settings)
        allowance = DayAllowance(limit: settings.dayLimit)
    }

    /// Connects with the hubs, for the mesh of the node.
    package func begin() async {
        await leave()
        let gateway = Gateway(
            hubs: hubs,
            authorities: settings.authorities,
            mesh: NodeMesh(node: node),
            hashes: .earshot,
            allowance: allowance
        )
        self.gateway = gateway
        let envelopes = await node.beginGateway()
        guard self.gateway === gateway else { return }
        reading = Task {
            for await envelope in envelopes { await gateway.take([envelope]) }
        }
        await gateway.start()
    }

    /// Ends the connections; `begin()` makes new ones.
    package func leave() async {
        reading?.cancel()
        reading = nil
        let gateway = gateway
        self.gateway = nil
        guard let gateway else { return }
        await gateway.stop()
        allowance = await gateway.allowance
    }

    /// Returns the states of the hubs; none while there is no connection to begin.
    package func reports() async -> [HubReport] { await gateway?.status().map(HubReport.init) ?? [] }

    /// Returns the metrics of the hubs.
    package func metrics() async -> [Metric] { HubMetrics.metrics(of: await gateway?.figures() ?? []) }

    /// Ends the connections for good; the node goes on without hubs.
    ///
    /// - Parameter leavingHubs: Whether contacts learn that the user reads mail at these hubs no more.
    public func stop(leavingHubs: Bool = false) async {
        if await node.forgetGateway(ObjectIdentifier(self)), leavingHubs { await node.setHubAddresses([]) }
        await leave()
    }
}
