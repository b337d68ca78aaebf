public import Earshot
package import GatewayCore
import MeshGateway

/// The gateway of a running node: it passes mail between the node's mesh and hubs.
///
/// One gateway serves everybody in the mesh. It keeps connected until it stops; `ChatNode.status` shows its hubs.
public struct NodeGateway: Sendable {
    private let node: ChatNode
    private let gateway: Gateway
    private let reading: Task<Void, Never>

    /// Connects a node that takes part in the mesh with hubs, of which its contacts learn.
    ///
    /// A node has one gateway at a time: another one takes its place.
    ///
    /// - Parameters:
    ///   - node: The node, started.
    ///   - addresses: At most 4, such as `tls://hub.example.org` or `tls://USER:PASSWORD@hub.example.org:4222`.
    ///   - settings: The settings of the connections.
    /// - Throws: If an address is that of no hub, or there are too many or none. A hub that does not answer is no error.
    public init(of node: ChatNode, hubs addresses: [String], _ settings: HubSettings = HubSettings())
        async throws(HubAddressError)
    {
        guard 1...GatewayLimits.hubCount ~= addresses.count else {
            throw HubAddressError("A gateway has 1 to \(GatewayLimits.hubCount) hubs, not \(addresses.count).")
        }
        var hubs: [HubURL] = []
        do throws(HubError) {
            let proxy: HubProxy? = if let proxy = settings.proxy { try HubProxy(proxy) } else { nil }
            for address in addresses { hubs.append(try HubURL(address).reached(by: proxy)) }
        } catch {
            throw HubAddressError(error.description)
        }
        await self.init(of: node, hubs: hubs, settings)
        await node.setHubs(HubControl(reports: reports, metrics: metrics, reload: nil))
        await node.setHubAddresses(hubs.map(\.text))
    }

    /// Connects a node that takes part in the mesh with hubs.
    ///
    /// - Parameter settings: The settings of the connections, but for the proxy, which the hubs have.
    package init(of node: ChatNode, hubs: [HubURL], _ settings: HubSettings) async {
        let gateway = Gateway(
            hubs: hubs,
            authorities: settings.authorities,
            mesh: NodeMesh(node: node),
            hashes: .earshot,
            dayLimit: settings.dayLimit,
            sendsCover: settings.sendsCover
        )
        let envelopes = await node.beginGateway()
        reading = Task {
            for await envelope in envelopes { await gateway.take([envelope]) }
        }
        await gateway.start()
        (self.node, self.gateway) = (node, gateway)
    }

    /// Returns the states of the hubs.
    @Sendable package func reports() async -> [HubReport] { await gateway.status().map(HubReport.init) }

    /// Returns the metrics of the hubs.
    @Sendable package func metrics() async -> [Metric] { HubMetrics.metrics(of: await gateway.figures()) }

    /// Ends the connections; the node goes on without hubs.
    public func stop() async {
        await node.setHubs(nil)
        await close()
    }

    /// Ends the connections, and leaves the node's list of hubs alone.
    package func close() async {
        reading.cancel()
        await gateway.stop()
    }
}
