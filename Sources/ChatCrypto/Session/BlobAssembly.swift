/// A blob of a key exchange that arrives in units of 8 bytes, in any order.
///
/// Source: PROTOCOL §8.
struct BlobAssembly: Equatable, Sendable {
    /// The units that have arrived, each at its place; zeros stand for the others.
    private(set) var bytes: [UInt8]
    private var hasUnit: [Bool]
    /// The lowest unit that has not arrived, or the number of units if all have.
    private(set) var need = 0

    /// Units: bytes of a unit.
    static let unitByteCount = 8

    /// Begins without any unit.
    ///
    /// - Parameter byteCount: a multiple of 8.
    init(byteCount: Int) {
        bytes = [UInt8](repeating: 0, count: byteCount)
        hasUnit = [Bool](repeating: false, count: byteCount / Self.unitByteCount)
    }

    var unitCount: Int { hasUnit.count }

    /// Whether all units have arrived.
    var isWhole: Bool { need == unitCount }

    /// Puts units at their places, as many whole ones as are there; bytes behind the end of the blob are not looked at.
    ///
    /// - Parameter first: the place of the first unit, below `unitCount`.
    /// - Returns: whether any of them is new.
    @discardableResult
    mutating func put(_ units: ArraySlice<UInt8>, at first: Int) -> Bool {
        let count = min(units.count / Self.unitByteCount, unitCount - first)
        let isNew = hasUnit[first..<(first + count)].contains(false)
        let start = first * Self.unitByteCount
        bytes.replaceSubrange(
            start..<(start + count * Self.unitByteCount),
            with: units.prefix(count * Self.unitByteCount)
        )
        for unit in first..<(first + count) { hasUnit[unit] = true }
        while need < unitCount, hasUnit[need] { need += 1 }
        return isNew
    }

    /// The units that have arrived, one bit each, the first in the highest bit; then the bytes.
    var encoded: [UInt8] {
        var bits = [UInt8](repeating: 0, count: Self.bitsByteCount(unitCount))
        for unit in hasUnit.indices where hasUnit[unit] { bits[unit / 8] |= 0x80 >> UInt8(unit % 8) }
        return bits + bytes
    }

    /// Units: bytes of the encoded form of a blob.
    static func encodedByteCount(_ byteCount: Int) -> Int {
        bitsByteCount(byteCount / unitByteCount) + byteCount
    }

    /// Reads the output of `encoded`; nil for bits beyond the last unit, and for bytes where no unit has arrived.
    init?(decoding encoded: [UInt8], byteCount: Int) {
        self.init(byteCount: byteCount)
        let bitsByteCount = Self.bitsByteCount(unitCount)
        guard encoded.count == Self.encodedByteCount(byteCount) else { return nil }
        for unit in 0..<(bitsByteCount * 8) where encoded[unit / 8] & 0x80 >> UInt8(unit % 8) != 0 {
            guard unit < unitCount else { return nil }
            let start = bitsByteCount + unit * Self.unitByteCount
            put(encoded[start..<(start + Self.unitByteCount)], at: unit)
        }
        guard bytes.elementsEqual(encoded[bitsByteCount...]) else { return nil }
    }

    private static func bitsByteCount(_ unitCount: Int) -> Int { (unitCount + 7) / 8 }
}
