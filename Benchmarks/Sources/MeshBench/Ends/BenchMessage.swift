import MeshCore

/// A message between the bench's programs over a bare mesh.
///
/// Shape: purpose 1, author 8, number 8, then the words of the purpose, then filling; big-endian.
struct BenchMessage {
    enum Purpose: UInt8 {
        /// A request to every receiver for an answer.
        case question = 1
        /// An answer to a question; the asker's author number follows.
        case answer = 2
        /// A message that receivers count and confirm.
        case message = 3
        /// A confirmation of messages: their author, the first number that has not arrived, the newest that has, and
        /// the missing numbers between.
        case confirmation = 4
        /// A request to the first receiver for a path.
        case hello = 5
    }

    static let headerByteCount = 17

    let purpose: Purpose
    let author: UInt64
    let number: UInt64
    let words: [UInt64]

    init(_ purpose: Purpose, author: UInt64, number: UInt64, words: [UInt64] = []) {
        self.purpose = purpose
        self.author = author
        self.number = number
        self.words = words
    }

    /// Reads a message; nil for anything else.
    ///
    /// Only purposes without words have filling.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.headerByteCount, let purpose = Purpose(rawValue: bytes[0]) else { return nil }
        let hasWords = purpose == .answer || purpose == .confirmation
        let words = stride(from: 1, to: hasWords ? bytes.count - 7 : Self.headerByteCount, by: 8).map { start in
            bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(purpose, author: words[0], number: words[1], words: Array(words.dropFirst(2)))
    }

    /// Encodes the message and fills it up to `byteCount`.
    ///
    /// - Parameter attempt: The byte of the filling. The mesh does not carry the same bytes again, so each attempt
    ///   needs another one.
    func encoded(byteCount: Int = 0, attempt: UInt8 = 0) -> [UInt8] {
        var bytes = [purpose.rawValue]
        bytes.reserveCapacity(max(byteCount, Self.headerByteCount))
        for word in [author, number] + words {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        if bytes.count < byteCount {
            bytes.append(contentsOf: repeatElement(attempt, count: byteCount - bytes.count))
        }
        return bytes
    }
}
