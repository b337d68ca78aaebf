import ChatCore
import ChatCrypto
import Earshot
import GatewayCore
import MeshCore
import MeshGateway

/// The settings of all connections of a node with hubs.
struct HubSettings: Sendable {
    /// A file with authorities of the hubs' certificates, besides those of the system.
    var authorities: String?
    /// The bytes of a day, beyond which only the node's own mail goes; nil for no limit.
    var dayLimit: Int?
}

/// The gateway of a running node.
struct NodeGateway: Sendable {
    private let gateway: Gateway
    private let reading: Task<Void, Never>

    /// Connects a node that takes part in the mesh with hubs.
    ///
    /// - Parameter settings: The settings of the connections.
    init(of node: ChatNode, hubs: [HubURL], _ settings: HubSettings) async {
        let gateway = Gateway(
            hubs: hubs,
            authorities: settings.authorities,
            mesh: NodeMesh(node: node),
            hashes: .earshot,
            dayLimit: settings.dayLimit
        )
        let envelopes = await node.beginGateway()
        reading = Task {
            for await envelope in envelopes { await gateway.take([envelope]) }
        }
        await gateway.start()
        self.gateway = gateway
    }

    /// Returns the states of the hubs.
    func reports() async -> [HubReport] { await gateway.status().map(HubReport.init) }

    /// Returns the metrics of the hubs.
    func metrics() async -> [Metric] { HubMetrics.metrics(of: await gateway.figures()) }

    /// Ends the connections.
    func stop() async {
        reading.cancel()
        await gateway.stop()
    }
}

/// The mesh of a node, as its gateway needs it.
private struct NodeMesh: FarMesh {
    let node: ChatNode

    func inject(_ envelopes: [Envelope]) async { await node.inject(envelopes) }

    func submitFar(kind: EnvelopeKind, body: [UInt8], life: UInt16) async {
        await node.announceGateway(body, life: life)
    }

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
    fileprivate static let earshot = GatewayHashes(
        envelopeID: { EnvelopeID(kindByte: $0, body: $1) },
        proofHash: { DeliveryProofHash.of(deliveryProof: $0) },
        hash: { SHA256.hash($0) }
    )
}

extension HubReport {
    fileprivate init(_ status: HubStatus) {
        self.init(
            host: status.host,
            address: status.address,
            state: status.state.rawValue,
            since: Timestamp(status.since),
            roundTrip: status.rtt.map { .seconds($0) },
            tagCount: status.tags,
            sentCount: status.sent,
            fetchedCount: status.fetched,
            waitingCount: status.waiting,
            refusedCount: status.refused,
            problem: status.error?.code,
            advice: status.error?.text
        )
    }
}
