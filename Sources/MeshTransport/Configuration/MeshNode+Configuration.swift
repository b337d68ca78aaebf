public import CoreMetrics
public import Foundation
public import MeshCore

extension MeshNode {
    /// A receiver of metrics, such as the backend of a program's monitoring.
    public typealias MetricsReceiver = any MetricsFactory

    /// The settings of a node.
    public struct Configuration: Sendable {
        /// The limits and intervals of the mesh itself.
        public var mesh: MeshConfiguration
        /// The names of the interfaces to use, and no others; empty for loopback and all interfaces that can multicast,
        /// except tunnels, bridges and those of containers.
        ///
        /// With several names, the node reaches static peers by the first.
        public var interfaces: [String]
        /// Whether nodes look for each other by multicast.
        public var useMulticast: Bool
        /// The groups in which nodes look for each other; any number, of either family.
        public var groups: [MulticastGroup]
        /// The nodes that this node always links to, wherever they are.
        public var staticPeers: [HostPort]
        /// The streams on which the node links besides UDP: 8 that it opens, and 8 on which it listens.
        public var carriers: [Carrier]
        /// The port of the interface-less socket, by which static peers reach this node; 0 for any.
        ///
        /// The socket exists if a port or static peers are configured, or if multicast is off.
        public var port: UInt16
        /// The file in which the store outlives the node; nil to keep it in memory alone.
        ///
        /// One node at a time uses it. Its folder has to exist.
        public var storeFile: URL?
        /// The number of outputs that may wait for the consumer before arriving datagrams are dropped.
        public var outputLimit: Int
        /// The receiver of the node's metrics, which are reported each second; by default the program's choice for
        /// swift-metrics.
        public var metricsFactory: MeshNode.MetricsReceiver = MetricsSystem.factory
        /// Metrics of modules that are built on the mesh, reported with the node's own; called on the node's event
        /// loop.
        package var otherMetrics: @Sendable () -> [Metric] = { [] }

        /// Makes a configuration; by default the node looks for others by multicast on every interface.
        public init(
            mesh: MeshConfiguration,
            interfaces: [String] = [],
            useMulticast: Bool = true,
            groups: [MulticastGroup] = MulticastGroup.standard,
            staticPeers: [HostPort] = [],
            carriers: [Carrier] = [],
            port: UInt16 = 0,
            storeFile: URL? = nil,
            outputLimit: Int = 4_096
        ) {
            self.mesh = mesh
            self.interfaces = interfaces
            self.useMulticast = useMulticast
            self.groups = groups
            self.staticPeers = staticPeers
            self.carriers = carriers
            self.port = port
            self.storeFile = storeFile
            self.outputLimit = outputLimit
        }

        var opensRoutedSockets: Bool { port != 0 || !staticPeers.isEmpty || !useMulticast }
    }
}
