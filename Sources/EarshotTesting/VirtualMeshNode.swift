import Earshot
import MeshCore
import MeshTransport
import Synchronization

/// One start of a host of a virtual network, in place of the `MeshNode` of a machine.
final class VirtualMeshNode: ChatMesh {
    private enum Phase { case new, running, stopped }

    private let network: VirtualNetwork
    private let host: Int
    private let configuration: MeshConfiguration
    private let cryptography: any MeshCryptography
    private let phase = Mutex(Phase.new)

    init(
        _ network: VirtualNetwork,
        _ host: Int,
        _ configuration: MeshConfiguration,
        _ cryptography: any MeshCryptography
    ) {
        self.network = network
        self.host = host
        self.configuration = configuration
        self.cryptography = cryptography
    }

    var now: MeshInstant { network.now }

    func start() throws(MeshTransportError) {
        let isNew = phase.withLock { phase in
            defer { phase = .running }
            return phase == .new
        }
        guard isNew else { throw MeshTransportError(.alreadyStarted, reason: "a node runs once; make another") }
        guard network.start(host, configuration, cryptography) else {
            phase.withLock { $0 = .stopped }
            throw MeshTransportError(.alreadyStarted, reason: "another node runs at host \(host)")
        }
    }

    func stop(quietly: Bool) {
        let wasRunning = phase.withLock { phase in
            defer { phase = .stopped }
            return phase == .running
        }
        if wasRunning { network.stop(host, quietly: quietly) }
    }

    func nextBatch() async -> MeshBatch? {
        guard phase.withLock({ $0 == .running }) else { return nil }
        return await network.nextBatch(at: host)
    }

    func submit(_ envelopes: [OwnEnvelope]) {
        for envelope in envelopes {
            send(envelope.event)
        }
    }

    func pushThroughNeighbors(_ isOn: Bool) { send(.pushThroughNeighbors(isOn)) }

    func storedEnvelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) -> [Envelope] {
        network.storedEnvelopes(at: host, kind, startingWith: beginnings)
    }

    func openPath(hello: [UInt8]) -> PathLabel? {
        let probe = Envelope(kind: .probe, life: 0, body: hello)
        let label = PathLabel(trailOf: cryptography.envelopeID(kindByte: probe.kindByte, body: hello[...]))
        return send(.openPath(hello: hello)).contains(.pathRefused(label)) ? nil : label
    }

    func send(_ messages: [PathMessage]) -> Int {
        for (index, message) in messages.enumerated() {
            let effects = send(.sendOnPath(message))
            if effects.contains(.pathRefused(message.to)) || effects.contains(.pathLost(message.to)) { return index }
        }
        return messages.count
    }

    func linkDirectly(to node: NodeID) { send(.linkDirectly(node)) }

    func fetchPieces(_ tags: [[UInt8]]) { send(.fetchPieces(tags)) }

    func endFetch(_ tags: [[UInt8]]) { send(.endFetch(tags)) }

    func farEnvelopes() -> AsyncStream<FarEnvelope> {
        defer { reportFar() }
        return network.farEnvelopes(at: host)
    }

    func reportFar() { send(.attachGateway) }

    func inject(_ envelopes: [Envelope]) {
        for envelope in envelopes { send(.inject(envelope)) }
    }

    func snapshot() -> MeshSnapshot {
        network.snapshot(of: host)
            ?? MeshEngine(configuration: configuration, cryptography: cryptography, random: .system, now: now).snapshot
    }

    /// There are no sockets to count.
    func metrics() -> [Metric] { [] }

    @discardableResult
    private func send(_ event: MeshEvent) -> [MeshEffect] {
        guard phase.withLock({ $0 == .running }) else { return [] }
        return network.send(event, to: host)
    }
}
