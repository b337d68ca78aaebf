/// Positions in chains ahead of the last opened message, in memory alone.
///
/// A member that makes packets far ahead of its chain, none of which open, costs few steps for each of them but the
/// first. The positions follow from the chain keys, so whoever steals the memory learns nothing more. Invariant: at most
/// ``GroupLimits/maximumAheadChains`` chains, the one used last at the end.
struct AheadKeys: Sendable {
    private var chains: [(name: MessageChain.Name, places: [UInt32: [UInt8]])] = []

    /// Units: iterations between two kept positions.
    static let distance: UInt32 = 64

    /// The number of chains with kept positions.
    var count: Int { chains.count }

    /// The kept position that is nearest before an iteration; nil if none is.
    func nearest(_ name: MessageChain.Name, before iteration: UInt32, wrap: KeyWrap) -> SenderChain? {
        guard let places = chains.last(where: { $0.name == name })?.places,
            let place = places.keys.filter({ $0 <= iteration }).max(), let wrapped = places[place]
        else { return nil }
        return wrap.unwrap(wrapped, for: name.place(place)).map { SenderChain(chainKey: $0, next: place) }
    }

    /// Keeps positions of a chain.
    mutating func keep(_ name: MessageChain.Name, _ places: [UInt32: [UInt8]]) {
        guard !places.isEmpty else { return }
        var all = places
        if let index = chains.firstIndex(where: { $0.name == name }) {
            all.merge(chains.remove(at: index).places) { $1 }
        }
        chains.append((name, all))
        chains.removeFirst(max(0, chains.count - GroupLimits.maximumAheadChains))
    }

    /// Erases the positions before the next message of a chain.
    mutating func advance(_ name: MessageChain.Name, to next: UInt32) {
        guard let index = chains.firstIndex(where: { $0.name == name }) else { return }
        chains[index].places = chains[index].places.filter { $0.key >= next }
        if chains[index].places.isEmpty { chains.remove(at: index) }
    }

    /// Erases the positions of the chains for which `isOver` holds.
    mutating func erase(where isOver: (MessageChain.Name) -> Bool) { chains.removeAll { isOver($0.name) } }
}
