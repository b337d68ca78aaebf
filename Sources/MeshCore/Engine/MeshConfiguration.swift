/// How a node takes part in the mesh.
///
/// Source: PROTOCOL §12 constants.
public struct MeshConfiguration: Sendable {
    /// The number of links up to which others' dials are accepted.
    public var acceptLimit: Int {
        didSet { precondition(acceptLimit >= 0, "a limit of links") }
    }

    /// What the store holds.
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

    /// An ordinary node.
    ///
    /// - Parameter kinds: The envelopes that the program sends, and how nodes treat them.
    public init(kinds: KindPolicy) {
        acceptLimit = discovery.acceptLimit
        router.kinds = kinds
    }

    /// A node that stands there to connect others: it accepts twice as many links.
    public static func relay(kinds: KindPolicy) -> MeshConfiguration {
        var configuration = MeshConfiguration(kinds: kinds)
        configuration.acceptLimit = 24
        return configuration
    }
}
