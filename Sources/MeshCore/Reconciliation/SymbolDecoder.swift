/// The decoder that finds the difference of two sets from one set and the code of the other.
///
/// It subtracts the symbols of its own set from the arriving ones. A symbol with one remaining id reveals that id, and
/// removing the id simplifies its other symbols. About 1.35 to 2 symbols per id of the difference are enough, however
/// large the sets are.
///
/// Invariant: `symbols` is the received part of the code of the difference less `missing` and `surplus`.
struct SymbolDecoder: Sendable {
    /// The state of the decoding.
    enum Progress: Equatable, Sendable {
        case incomplete
        case complete
        /// The symbols are not the code of any set.
        case senseless
    }

    /// The ids that only the other set has, in the order of discovery.
    private(set) var missing: [UInt64] = []
    /// The ids that only the own set has, in the order of discovery.
    ///
    /// A dishonest peer can insert any ids.
    private(set) var surplus: [UInt64] = []

    private let hash: SaltedHash
    private var own: SymbolEncoder
    private var symbols: [CodedSymbol] = []

    init(_ ids: [UInt64], hash: SaltedHash) {
        self.hash = hash
        own = SymbolEncoder(ids, hash: hash)
    }

    /// The number of symbols received.
    var symbolCount: Int { symbols.count }

    /// Adds the other set's next symbol.
    mutating func add(_ symbol: CodedSymbol) -> Progress {
        guard let ownSymbol = own.next() else { return .incomplete }
        var difference = symbol
        difference.subtract(ownSymbol)
        symbols.append(difference)
        guard peel(from: symbols.count - 1) else { return .senseless }
        // Every id maps to the first position, so nothing is left once that is empty.
        return symbols[0] == .zero ? .complete : .incomplete
    }

    /// Extracts ids from pure symbols until there are none; returns false if there are more ids than a difference can
    /// have.
    private mutating func peel(from place: Int) -> Bool {
        var suspects = [place]
        while let suspect = suspects.popLast() {
            let symbol = symbols[suspect]
            guard abs(symbol.count) == 1, hash(symbol.sum) == symbol.check else { continue }
            guard missing.count + surplus.count < symbols.count else { return false }
            if symbol.count == 1 {
                missing.append(symbol.sum)
            } else {
                surplus.append(symbol.sum)
            }
            for place in own.insert(symbol.sum, hash: symbol.check, times: symbol.count) {
                symbols[place].add(symbol.sum, hash: symbol.check, times: -symbol.count)
                suspects.append(place)
            }
        }
        return true
    }
}
