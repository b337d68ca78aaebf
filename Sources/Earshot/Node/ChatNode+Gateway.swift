package import MeshCore
import MeshTransport

/// The hubs of a program, as its node reaches them.
package struct HubControl: Sendable {
    /// Returns the states of the hubs.
    let reports: @Sendable () async -> [HubReport]
    /// Returns the metrics of the hubs.
    let metrics: @Sendable () async -> [Metric]
    /// Reads the list of hubs anew and connects with those on it; nil for a program that connects with none.
    let reload: (@Sendable () async throws -> Void)?
    /// The way to change the list; nil for a program that leaves it alone.
    package let changes: HubChanges?
    /// Connects with the hubs, for the node's mesh has begun.
    let begin: @Sendable () async -> Void
    /// Ends the connections, for the mesh has ended, or another gateway takes the place of this one.
    let leave: @Sendable () async -> Void
    /// The gateway; nil if it may change.
    let gateway: ObjectIdentifier?

    /// Makes the control from its parts.
    package init(
        reports: @escaping @Sendable () async -> [HubReport],
        metrics: @escaping @Sendable () async -> [Metric],
        reload: (@Sendable () async throws -> Void)?,
        changes: HubChanges? = nil,
        gateway: ObjectIdentifier? = nil,
        begin: @escaping @Sendable () async -> Void,
        leave: @escaping @Sendable () async -> Void
    ) {
        (self.reports, self.metrics, self.reload, self.changes) = (reports, metrics, reload, changes)
        (self.gateway, self.begin, self.leave) = (gateway, begin, leave)
    }
}

/// Changes of a program's list of hubs.
package struct HubChanges: Sendable {
    /// The addresses of the hubs that are not on the list, but were given at the start of the program; without logins.
    package let fixed: [String]
    /// Adds the hubs at these addresses, or changes their logins, and connects with them.
    package let add: @Sendable ([String]) async throws -> Void
    /// Removes the hub of this address or name, and leaves it.
    package let remove: @Sendable (String) async throws -> Void
    /// Returns the names of the hubs at these addresses, without logins; none if the node uses one of them already.
    package let missing: @Sendable ([String]) async throws -> [String]

    /// Makes the changes from their parts.
    package init(
        fixed: [String],
        add: @escaping @Sendable ([String]) async throws -> Void,
        remove: @escaping @Sendable (String) async throws -> Void,
        missing: @escaping @Sendable ([String]) async throws -> [String]
    ) {
        (self.fixed, self.add, self.remove, self.missing) = (fixed, add, remove, missing)
    }
}

/// The node as a gateway, which passes mail between its mesh and hubs.
extension ChatNode {
    /// Notes the hubs of the program, for the node's status and for changes of their list; nil for none.
    package func setHubs(_ control: HubControl?) { hubControl = control }

    /// Has a mesh that has just begun follow the settings, and the gateway read from it.
    func prepareMesh() async {
        await mesh.pushThroughNeighbors(configuration.delivery == .private)
        await hubControl?.begin()
    }

    /// Has a gateway take the place of an earlier one, which ends; it begins with the mesh.
    ///
    /// A node that has stopped takes none.
    package func take(_ control: HubControl) async {
        guard !isStopped else { return }
        let earlier = hubControl
        hubControl = control
        await earlier?.leave()
        if isStarted { await hubControl?.begin() }
    }

    /// Forgets a gateway, unless another one has taken its place; returns whether it was the present one.
    package func forgetGateway(_ gateway: ObjectIdentifier) -> Bool {
        guard hubControl?.gateway == gateway else { return false }
        hubControl = nil
        return true
    }

    /// Notes the hubs at which the user reads mail, so that contacts learn them beside the next messages.
    ///
    /// - Parameter addresses: The addresses without logins; none if the program has left all hubs.
    package func setHubAddresses(_ addresses: [String]) async { await account.setHubs(addresses) }

    /// The hubs of the program; nil for one that knows no hubs.
    package var hubs: HubControl? { hubControl }

    /// Has the program read its list of hubs anew; false if it connects with none.
    package func reloadHubs() async throws -> Bool {
        guard let reload = hubControl?.reload else { return false }
        try await reload()
        return true
    }

    /// Begins a gateway: returns the envelopes that concern it, those that are stored first.
    ///
    /// They end when the node stops or suspends, and when another gateway begins.
    package func beginGateway() async -> AsyncStream<FarEnvelope> { await mesh.farEnvelopes() }

    /// Takes mail that the gateway fetched.
    package func inject(_ envelopes: [Envelope]) async { await mesh.inject(envelopes) }

    /// Spreads an announcement of the gateway; this node follows it too.
    package func announceGateway(_ body: [UInt8], life: UInt16) async {
        await mesh.submit([OwnEnvelope(kind: .gateway, body: body, life: life)])
        await account.hearGateway(body)
    }

    /// Notes that a hub has acknowledged own mail of this name, for the details of the message in it.
    package func noteStored(_ name: [UInt8], at hub: String) async { await account.noteStored(name, at: hub) }

    /// Reports all stored envelopes that concern the gateway once more.
    package func reportFar() async { await mesh.reportFar() }
}
