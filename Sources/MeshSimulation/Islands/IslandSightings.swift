import MeshCore

/// The islands in which each envelope was seen.
struct IslandSightings: Sendable {
    private var islands: [EnvelopeID: Set<Int>] = [:]

    /// Notes that a host of an island got an envelope.
    mutating func note(_ id: EnvelopeID, in island: Int) { islands[id, default: []].insert(island) }

    /// The envelopes that were seen in both islands.
    var crossed: Set<EnvelopeID> { Set(islands.filter { $0.value.count > 1 }.keys) }
}
