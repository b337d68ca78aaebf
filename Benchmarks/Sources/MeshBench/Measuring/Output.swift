import Foundation

/// The output for programs.
enum Output {
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(try encoder.encode(value) + Data("\n".utf8))
    }

    static func line(_ text: String) throws {
        try write(Data((text + "\n").utf8))
    }

    private static func write(_ data: Data) throws {
        try FileHandle.standardOutput.write(contentsOf: data)
    }
}
