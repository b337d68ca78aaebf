/// Endpoints that nodes have misbehaved from: no link with them until their ban is over.
///
/// Source: PROTOCOL §3.4.
struct Bans {
    private struct Entry {
        var endpoint: Endpoint
        /// How long the last ban was.
        var length: Duration
        var until: MeshInstant
    }

    private let configuration: LinkConfiguration
    private var entries: [Entry] = []

    init(configuration: LinkConfiguration) {
        self.configuration = configuration
    }

    /// Units: endpoints remembered.
    var count: Int { entries.count }

    /// Whether no link is wanted with the endpoint.
    func holds(_ endpoint: Endpoint, now: MeshInstant) -> Bool {
        entries.contains { $0.endpoint == endpoint && now < $0.until }
    }

    /// Bans an endpoint, twice as long as the time before if that is not long ago.
    mutating func add(_ endpoint: Endpoint, now: MeshInstant) {
        // A ban is remembered for as long again as it may be at most.
        entries.removeAll { $0.until.advanced(by: configuration.maximumBan) <= now }
        var length = configuration.ban
        if let index = entries.firstIndex(where: { $0.endpoint == endpoint }) {
            length = min(entries.remove(at: index).length * 2, configuration.maximumBan)
        }
        if entries.count >= configuration.maximumBanCount, let first = entries.indices.min(by: endsEarlier) {
            entries.remove(at: first)
        }
        entries.append(Entry(endpoint: endpoint, length: length, until: now.advanced(by: length)))
    }

    private func endsEarlier(_ left: Int, _ right: Int) -> Bool {
        entries[left].until < entries[right].until
    }
}
