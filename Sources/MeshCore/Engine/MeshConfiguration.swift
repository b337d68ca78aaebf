/// The configuration of a node in the mesh.
///
/// Source: PROTOCOL §12 constants.
public struct MeshConfiguration: Sendable {
    /// The number of links up to which the node accepts dials of other nodes.
    public var acceptLimit: Int {
        didSet { precondition(acceptLimit >= 0, "a limit of links") }
    }

    /// The limits of the store.
    public var store: StoreLimits {
        get { router.store }
        set { router.store = newValue }
    }

    /// The limits and intervals of links.
    package var link = LinkConfiguration()
    /// The limits and intervals of discovery.
    package var discovery = DiscoveryConfiguration()
    /// The limits and intervals of flooding and synchronisation.
    package var router = RouterConfiguration()
    /// The limits and intervals of paths.
    package var path = PathConfiguration()
    /// The limits and intervals of holders.
    package var holders = HolderConfiguration()

    /// Creates the configuration of an ordinary node.
    ///
    /// - Parameter kinds: The kinds of envelopes that the program sends, and how nodes treat them.
    public init(kinds: KindPolicy) {
        acceptLimit = discovery.acceptLimit
        router.kinds = kinds
    }

    /// Creates the configuration of a dedicated relay, which accepts twice as many links, and looks for no mail of its
    /// own.
    public static func relay(kinds: KindPolicy) -> MeshConfiguration {
        var configuration = MeshConfiguration(kinds: kinds)
        configuration.acceptLimit = 32
        configuration.router.catchUpTime = .zero
        return configuration
    }
}
