/// The prekeys of this node: the published one, and older ones until their time is over.
///
/// Invariant: at least one prekey, in rising order of sequence. Source: PROTOCOL §6.
struct PrekeyRing: Sendable {
    private(set) var prekeys: [Prekey]

    /// The largest number of prekeys; a rotation beyond it drops one early.
    static let maximumCount = 64

    /// Starts with a first prekey.
    init(_ first: Prekey) {
        prekeys = [first]
    }

    /// Restores stored prekeys; nil if there is none.
    init?(restoring stored: [Prekey]) {
        guard !stored.isEmpty else { return nil }
        prekeys = stored.sorted { $0.bundle.sequence < $1.bundle.sequence }
    }

    /// The published prekey.
    var current: Prekey { prekeys[prekeys.count - 1] }

    /// Finds the prekey with a sequence number; nil if it is deleted.
    func prekey(_ sequence: UInt32) -> Prekey? {
        prekeys.last { $0.bundle.sequence == sequence }
    }

    /// Whether a new prekey is due: by age, for a new nickname, or because the clock ran ahead at its creation.
    func isRotationDue(atHour hour: UInt32, nickname: Nickname?) -> Bool {
        hour >= current.rotatesAtHour || nickname != current.bundle.nickname
            || current.bundle.createdHour > hour.addingClamped(PrekeyBundle.clockSkewHours)
    }

    /// Publishes a new prekey and answers the prekeys that are dropped for it.
    ///
    /// Prekeys that were published for less than an hour, as in a flood, are dropped first, because the fewest peers
    /// have their bundle.
    mutating func rotate(of owner: Identity, nickname: Nickname?, atHour hour: UInt32) -> [Prekey] {
        // The hour puts the bundle of a restored data directory above all bundles that it published before.
        let sequence = max(current.bundle.sequence.addingClamped(1), hour)
        prekeys.append(Prekey(of: owner, sequence: sequence, nickname: nickname, hour: hour))
        var dropped: [Prekey] = []
        while prekeys.count > Self.maximumCount {
            let brief = prekeys.indices.dropLast().first { index in
                prekeys[index].bundle.createdHour == prekeys[index + 1].bundle.createdHour
            }
            dropped.append(prekeys.remove(at: brief ?? 0))
        }
        return dropped
    }

    /// Deletes prekeys whose time is over, but never the published one, and answers the deleted ones.
    mutating func expire(atHour hour: UInt32) -> [Prekey] {
        let deleted = prekeys.dropLast().filter { $0.isDeletable(atHour: hour) }
        prekeys = prekeys.dropLast().filter { !$0.isDeletable(atHour: hour) } + [current]
        return deleted
    }
}
