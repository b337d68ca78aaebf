import Earshot
import EarshotGateway
import EarshotRPC
import GatewayCore

/// The hubs of a running node: those of the command line, and those on the list of its data directory.
///
/// The list may change while the node runs; the node then connects anew.
actor NodeHubs {
    private let node: ChatNode
    private let settings: HubSettings
    private let list: @Sendable () throws -> [HubURL]
    private var hubs: [HubURL] = []
    private var gateway: NodeGateway?
    private var isStopped = false
    /// The changes under way, one after the other.
    private var change: Task<Void, any Error>?

    private init(of node: ChatNode, _ settings: HubSettings, _ list: @escaping @Sendable () throws -> [HubURL]) {
        (self.node, self.settings, self.list) = (node, settings, list)
    }

    /// Connects a node with its hubs.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - settings: The settings of the connections.
    ///   - follows: Whether the list may change.
    ///   - changes: The changes that clients of the node may make.
    ///   - list: Reads the list of hubs.
    /// - Throws: If the list cannot be read.
    static func connecting(
        _ node: ChatNode,
        _ settings: HubSettings,
        follows: Bool = true,
        changes: HubListChanges? = nil,
        to list: @escaping @Sendable () throws -> [HubURL]
    ) async throws -> NodeHubs {
        let hubs = NodeHubs(of: node, settings, list)
        try await hubs.reload()
        let reload: @Sendable () async throws -> Void = {
            do {
                try await hubs.reload()
            } catch {
                throw RPCError(.invalidParameters, CommandFailure(error).message)
            }
        }
        let reports: @Sendable () async -> [HubReport] = { await hubs.reports() }
        let metrics: @Sendable () async -> [Metric] = { await hubs.gateway?.metrics() ?? [] }
        let control = HubControl(
            reports: reports,
            metrics: metrics,
            reload: follows ? reload : nil,
            changes: changes.map { hubs.making($0, reload) },
            begin: { await hubs.gateway?.begin() },
            leave: { await hubs.gateway?.leave() }
        )
        await node.setHubs(control)
        return hubs
    }

    /// Returns the changes of a list that the node follows at once.
    private nonisolated func making(
        _ changes: HubListChanges,
        _ reload: @escaping @Sendable () async throws -> Void
    ) -> HubChanges {
        HubChanges(
            fixed: changes.given.map(\.text),
            add: { addresses in
                try await self.perform { try changes.add(addresses) }
                try await reload()
            },
            remove: { name in
                try await self.perform { try changes.remove(name) }
                try await reload()
            },
            missing: { addresses in try changes.missing(addresses) }
        )
    }

    /// Changes the list; one change ends before the next begins.
    private func perform(_ body: @Sendable () throws -> Void) throws { try body() }

    /// Reads the list anew, and connects with the hubs on it if they have changed.
    func reload() async throws {
        let earlier = change
        let change = Task {
            _ = await earlier?.result
            try await connect(to: try list())
        }
        self.change = change
        try await change.value
    }

    /// Ends all connections.
    func stop() async {
        isStopped = true
        _ = await change?.result
        await node.setHubs(nil)
        await gateway?.leave()
        gateway = nil
    }

    private func reports() async -> [HubReport] { await gateway?.reports() ?? [] }

    private func connect(to hubs: [HubURL]) async throws {
        guard !isStopped else { return }
        await node.setHubAddresses(hubs.map(\.text))
        guard hubs != self.hubs else { return }
        await gateway?.leave()
        self.hubs = hubs
        gateway = hubs.isEmpty ? nil : NodeGateway(of: node, hubs: hubs, settings)
        await gateway?.begin()
    }
}
