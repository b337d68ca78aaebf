import Earshot
import Logging
import MeshCore
import MeshTransport

/// The mesh options of a node of the bench.
struct MeshPlace: Sendable {
    /// Units: ticks of 10 s; the life of the bench's envelopes.
    static let life: UInt16 = 1
    /// The kind of all the bench's envelopes, which no node stores.
    static let kind: EnvelopeKind = 4
    private static let kinds = KindPolicy([kind: .live])

    var options = MeshOptions()

    /// Makes a bare mesh node with the cryptography of chat.
    func makeNode(isRelay: Bool = false) throws -> MeshNode {
        var groups: [MulticastGroup] = []
        for text in options.discoveryGroups {
            guard let group = MulticastGroup(text) else { throw BenchFailure("\(text) is no discovery group") }
            groups.append(group)
        }
        let peers = try options.staticPeers.map { text in
            guard let peer = HostPort(text) else { throw BenchFailure("\(text) is not HOST:PORT") }
            return peer
        }
        let configuration = MeshNode.Configuration(
            mesh: isRelay ? .relay(kinds: Self.kinds) : MeshConfiguration(kinds: Self.kinds),
            interfaces: options.interfaces,
            groups: groups.isEmpty ? MulticastGroup.standard : groups,
            staticPeers: peers,
            port: options.port
        )
        return MeshNode(
            configuration: configuration,
            cryptography: try MeshSeals(passphrase: nil),
            logger: Self.logger
        )
    }

    /// A logger of warnings only: a trace of every datagram would dominate the measurement.
    static var logger: Logger {
        var logger = Logger(label: "mesh-bench", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        return logger
    }
}
