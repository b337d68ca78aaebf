import Foundation
import Testing

/// A file of `Tests/Vectors`.
///
/// Empty lines separate the blocks. The first block gives kind, source and comment; each other block is one case of
/// `name: value` lines. The further lines of a long value are indented. Bytes are in hex.
struct VectorFile {
    let header: VectorCase
    let cases: [VectorCase]

    init(_ name: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/\(name).txt").standardizedFileURL
        let text = try String(contentsOf: url, encoding: .utf8)
        var blocks: [VectorCase] = []
        var current = VectorCase()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if !current.fields.isEmpty { blocks.append(current) }
                current = VectorCase()
            } else {
                try current.add(line)
            }
        }
        guard let first = blocks.first, blocks.count > 1 else { throw VectorError("\(name) has no cases") }
        header = first
        cases = Array(blocks.dropFirst())
    }
}

/// One block of a vector file.
struct VectorCase: CustomTestStringConvertible {
    fileprivate var fields: [(name: String, value: String)] = []

    var testDescription: String { (try? text("case")) ?? fields.first?.value ?? "" }

    func has(_ name: String) -> Bool {
        fields.contains { $0.name == name }
    }

    func text(_ name: String) throws -> String {
        guard let field = fields.first(where: { $0.name == name }) else { throw VectorError("no field \(name)") }
        return field.value
    }

    func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = ChatCryptoTests.bytes(hex: try text(name)) else { throw VectorError("\(name) is not hex") }
        return bytes
    }

    func number(_ name: String) throws -> Int {
        guard let number = Int(try text(name)) else { throw VectorError("\(name) is not a number") }
        return number
    }

    fileprivate mutating func add(_ line: Substring) throws {
        if line.hasPrefix("  "), let last = fields.indices.last {
            fields[last].value += line.dropFirst(2)
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            fields.append((String(line[..<colon]), String(value.hasPrefix(" ") ? value.dropFirst() : value)))
        } else {
            throw VectorError("a line is neither a field nor its continuation")
        }
    }
}

struct VectorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
