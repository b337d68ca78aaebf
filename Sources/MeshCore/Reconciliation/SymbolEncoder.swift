/// The encoder that creates the code of a set of ids, symbol by symbol.
///
/// Invariant: `heads[place]` leads through `links` to every id whose next position is `place`, for positions not
/// encoded yet.
struct SymbolEncoder: Sendable {
    private struct Element: Sendable {
        let id: UInt64
        let hash: UInt64
        let times: Int64
        var places: SymbolPositions
        /// The next element with the same next position; -1 for none.
        var link: Int32
    }

    private var elements: [Element] = []
    private var heads = [Int32](repeating: -1, count: SymbolPositions.limit)

    /// The number of symbols created.
    private(set) var symbolCount = 0

    init(_ ids: [UInt64], hash: SaltedHash) {
        elements.reserveCapacity(ids.count)
        for id in ids { _ = insert(id, hash: hash(id), times: 1) }
    }

    /// Creates the next symbol; returns nil at the end of the code.
    mutating func next() -> CodedSymbol? {
        guard symbolCount < SymbolPositions.limit else { return nil }
        var symbol = CodedSymbol.zero
        var index = heads[symbolCount]
        while index >= 0 {
            let element = elements[Int(index)]
            symbol.add(element.id, hash: element.hash, times: element.times)
            elements[Int(index)].places.advance()
            enqueue(index)
            index = element.link
        }
        symbolCount += 1
        return symbol
    }

    /// Adds an id to the set in the middle of the code; returns the positions of the symbols already created to which
    /// the id maps.
    mutating func insert(_ id: UInt64, hash: UInt64, times: Int64) -> [Int] {
        var made: [Int] = []
        var places = SymbolPositions(hash: hash)
        while places.place < symbolCount {
            made.append(places.place)
            places.advance()
        }
        elements.append(Element(id: id, hash: hash, times: times, places: places, link: -1))
        enqueue(Int32(elements.count - 1))
        return made
    }

    private mutating func enqueue(_ index: Int32) {
        let place = elements[Int(index)].places.place
        guard place < SymbolPositions.limit else { return }
        elements[Int(index)].link = heads[place]
        heads[place] = index
    }
}
