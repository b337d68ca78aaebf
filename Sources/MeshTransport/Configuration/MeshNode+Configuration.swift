public import CoreMetrics
public import Foundation
public import MeshCore

extension MeshNode {
    /// How a node meets others.
    public struct Configuration: Sendable {
        /// The limits and intervals of the mesh itself.
        public var mesh: MeshConfiguration
        /// The names of the interfaces to use, and then no others; empty for loopback and all that can multicast.
        ///
        /// With several names, static peers are reached by the first.
        public var interfaces: [String]
        /// Whether nodes look for each other by multicast.
        public var useMulticast: Bool
        /// Where nodes look for each other; any number of groups of either family.
        public var groups: [MulticastGroup]
        /// Nodes to be linked with always, wherever they are.
        public var staticPeers: [HostPort]
        /// The port of the interface-less socket, by which static peers reach this node; 0 for any.
        ///
        /// The socket is there if a port or static peers are configured or multicast is off.
        public var port: UInt16
        /// The file in which the store outlives the node; nil to keep it in memory alone.
        ///
        /// One node at a time has it. Its folder has to be there.
        public var storeFile: URL?
        /// How many outputs may wait for the consumer before arriving datagrams are dropped.
        public var outputLimit: Int
        /// Where the node's figures are reported, each second; by default to what the program chose for swift-metrics.
        public var metricsFactory: any MetricsFactory = MetricsSystem.factory
        /// Figures of what is built on the mesh, told with the node's own; asked for on the node's event loop.
        package var otherMetrics: @Sendable () -> [Metric] = { [] }

        /// Makes a configuration; by default the node looks for others by multicast on every interface.
        public init(
            mesh: MeshConfiguration,
            interfaces: [String] = [],
            useMulticast: Bool = true,
            groups: [MulticastGroup] = MulticastGroup.standard,
            staticPeers: [HostPort] = [],
            port: UInt16 = 0,
            storeFile: URL? = nil,
            outputLimit: Int = 4_096
        ) {
            self.mesh = mesh
            self.interfaces = interfaces
            self.useMulticast = useMulticast
            self.groups = groups
            self.staticPeers = staticPeers
            self.port = port
            self.storeFile = storeFile
            self.outputLimit = outputLimit
        }

        var opensRoutedSockets: Bool { port != 0 || !staticPeers.isEmpty || !useMulticast }
    }
}
