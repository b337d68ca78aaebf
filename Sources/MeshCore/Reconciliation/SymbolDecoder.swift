/// Finds the difference of two sets from one set and the code of the other.
///
/// It takes its own set's symbols off those that come; where one id is left it is found, and its other symbols get
/// simpler by it. About 1.35 to 2 symbols for each id of the difference are enough, however large the sets are.
///
/// Invariant: `symbols` is the code, as far as it came, of the difference less `missing` and `surplus`.
struct SymbolDecoder: Sendable {
    /// How far the difference is known.
    enum Progress: Equatable, Sendable {
        case incomplete
        case complete
        /// The symbols are not the code of any set.
        case senseless
    }

    /// The ids that only the other set has, in the order found.
    private(set) var missing: [UInt64] = []
    /// The ids that only the own set has, in the order found; a liar can put in any.
    private(set) var surplus: [UInt64] = []

    private let hash: SaltedHash
    private var own: SymbolEncoder
    private var symbols: [CodedSymbol] = []

    init(_ ids: [UInt64], hash: SaltedHash) {
        self.hash = hash
        own = SymbolEncoder(ids, hash: hash)
    }

    /// How many symbols have come.
    var symbolCount: Int { symbols.count }

    /// Takes the other set's next symbol.
    mutating func add(_ symbol: CodedSymbol) -> Progress {
        guard let ownSymbol = own.next() else { return .incomplete }
        var difference = symbol
        difference.subtract(ownSymbol)
        symbols.append(difference)
        guard peel(from: symbols.count - 1) else { return .senseless }
        // Every id falls on the first place, so nothing is left once that is empty.
        return symbols[0] == .zero ? .complete : .incomplete
    }

    /// Takes ids out of pure symbols until there is none; false if there are more ids than a difference can have.
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
