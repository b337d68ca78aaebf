/// A function that checks one input; it traps on anything that must not happen.
typealias Target = @Sendable ([UInt8]) -> Void

/// A reader of decisions from the fuzzer's bytes, from the first to the last; past the end every byte is 0.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// Reads a number from 0 to `limit` - 1, from two bytes.
    mutating func number(below limit: Int) -> Int {
        (Int(byte()) << 8 | Int(byte())) % limit
    }

    /// Reads at most `count` bytes as they are.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Reads exactly `count` bytes.
    mutating func field(_ count: Int) -> [UInt8] {
        let bytes = bytes(count)
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    /// Makes a copy of the example with up to 7 changes: bytes set, filled, removed or inserted, bits inverted.
    mutating func variant(of example: [UInt8]) -> [UInt8] {
        var bytes = example
        for _ in 0..<byte() % 8 {
            let place = number(below: bytes.count + 1)
            let value = byte()
            switch byte() % 5 {
            case 0 where place < bytes.count: bytes[place] = value
            case 1 where place < bytes.count: bytes[place] ^= 1 << (value % 8)
            case 2:
                for index in place..<min(bytes.count, place + Int(value % 9)) { bytes[index] = value < 128 ? 0 : 0xFF }
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int(value)))
            default: bytes.insert(contentsOf: self.bytes(Int(value)), at: place)
            }
        }
        return bytes
    }

    /// Returns all remaining bytes as they are, or a variant of one of the examples.
    mutating func candidate(like examples: [[UInt8]]) -> [UInt8] {
        let choice = Int(byte()) % (examples.count + 1)
        return choice == 0 ? bytes(.max) : variant(of: examples[choice - 1])
    }
}
