/// The endpoints from which nodes have misbehaved.
///
/// No link with them is made until their ban ends.
///
/// Source: PROTOCOL §3.4.
struct Bans {
    private struct Entry {
        var endpoint: Endpoint
        /// The length of the last ban.
        var length: Duration
        var until: MeshInstant
    }

    private let configuration: LinkConfiguration
    private var entries: [Entry] = []

    init(configuration: LinkConfiguration) {
        self.configuration = configuration
    }

    /// The number of known endpoints.
    var count: Int { entries.count }

    /// Returns whether the endpoint is banned.
    func holds(_ endpoint: Endpoint, now: MeshInstant) -> Bool {
        entries.contains { $0.endpoint == endpoint && now < $0.until }
    }

    /// Bans an endpoint.
    ///
    /// The ban is twice as long as the previous one if that one is recent.
    mutating func add(_ endpoint: Endpoint, now: MeshInstant) {
        // A ban is remembered after its end for as long as the longest ban.
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
