/// A decoder that turns the bytes of a terminal into keys.
///
/// A paste becomes one key, whatever it contains. It is recognised by the marks that terminals put around it, and
/// without marks by text after a line end in the same read, because nobody types that fast.
struct KeyDecoder: Sendable {
    /// A key, or a paste.
    enum Key: Equatable, Sendable {
        case scalar(Unicode.Scalar)
        case pasted(String)
        case interrupt
        case suspend
        case redraw
    }

    /// Units: bytes of a paste; the rest is cut off, and no message may be this long.
    static let pasteByteCount = 262_144
    private static let opening = Array("\u{1B}[200~".utf8)
    private static let closing = Array("\u{1B}[201~".utf8)

    /// Bytes of a key or a mark that is not complete yet.
    private var held: [UInt8] = []
    private var paste: [UInt8]?

    /// Whether bytes are held back for a continuation.
    var isWaiting: Bool { !held.isEmpty && paste == nil }

    /// Adds the bytes of one read, and returns the complete keys.
    mutating func keys(adding bytes: some Collection<UInt8>) -> [Key] {
        var rest = held + bytes
        held = []
        var keys: [Key] = []
        while !rest.isEmpty {
            if paste != nil {
                rest = addToPaste(rest, &keys)
            } else if let place = Self.find(Self.opening, in: rest) {
                keys += typed(Array(rest[..<place]))
                paste = []
                rest = Array(rest[(place + Self.opening.count)...])
            } else {
                let kept = Self.beginningCount(of: Self.opening, atEndOf: rest)
                held = Array(rest.suffix(kept))
                keys += typed(rest.dropLast(kept))
                rest = []
            }
        }
        return keys
    }

    /// Returns the keys of the bytes that are held back, if no continuation came.
    mutating func flush() -> [Key] {
        defer { held = [] }
        return isWaiting ? scalars(held, isEnd: true) : []
    }

    private mutating func addToPaste(_ bytes: [UInt8], _ keys: inout [Key]) -> [UInt8] {
        let end = Self.find(Self.closing, in: bytes)
        let kept = end == nil ? Self.beginningCount(of: Self.closing, atEndOf: bytes) : 0
        let room = Self.pasteByteCount - (paste?.count ?? 0)
        paste?.append(contentsOf: bytes[..<(end ?? bytes.count - kept)].prefix(room))
        guard let end else {
            held = Array(bytes.suffix(kept))
            return []
        }
        keys.append(.pasted(Self.text(paste ?? [])))
        paste = nil
        return Array(bytes[(end + Self.closing.count)...])
    }

    /// Decodes keys that were typed, or pasted without marks.
    private mutating func typed(_ bytes: some Collection<UInt8>) -> [Key] {
        let bytes = Array(bytes)
        let lineEnds: Set<UInt8> = [0x0A, 0x0D]
        let body = bytes.reversed().drop { lineEnds.contains($0) }
        guard body.contains(where: lineEnds.contains), !bytes.contains(0x1B) else {
            return scalars(bytes, isEnd: false)
        }
        let text = Array(body.reversed())
        return [.pasted(Self.text(text))] + scalars(Array(bytes[text.count...]), isEnd: false)
    }

    private mutating func scalars(_ bytes: [UInt8], isEnd: Bool) -> [Key] {
        let cut = isEnd ? 0 : Self.incompleteCount(atEndOf: bytes)
        if cut > 0 { held = bytes.suffix(cut) + held }
        return String(decoding: bytes.dropLast(cut), as: UTF8.self).unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x03: .interrupt
            case 0x0C: .redraw
            case 0x1A: .suspend
            default: .scalar(scalar)
            }
        }
    }

    /// Counts the bytes at the end that begin an incomplete scalar.
    private static func incompleteCount(atEndOf bytes: [UInt8]) -> Int {
        for (count, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count + 1 ? count + 1 : 0
        }
        return 0
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
                }
            )
        )
    }

    private static func find(_ mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        return (0...bytes.count - mark.count).first { start in
            bytes[start] == mark[0] && bytes[start..<start + mark.count].elementsEqual(mark)
        }
    }

    private static func beginningCount(of mark: [UInt8], atEndOf bytes: [UInt8]) -> Int {
        (1..<mark.count).reversed().first { bytes.suffix($0).elementsEqual(mark.prefix($0)) } ?? 0
    }
}
