import Foundation
import Testing

@testable import ChatCrypto

@Suite("Labels")
struct LabelTests {
    @Test("Every label starts with the protocol's name and version, and fits its length byte")
    func haveTheirForm() {
        for label in Label.allCases {
            #expect(label.rawValue.hasPrefix("earshot/v1/"))
            #expect(label.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(label.bytes == [UInt8(label.info.count)] + Array(label.rawValue.utf8))
        }
    }

    @Test("Every label is used at exactly one place of the sources", arguments: Label.allCases)
    func areUsedOnce(label: Label) throws {
        let uses = try occurrences(of: "Label.\(label)", inFilesOtherThan: "Label.swift")
        #expect(uses == 1, "a label has one purpose, written out as Label.\(label)")
    }

    @Test("No label is written as a string where the list does not see it")
    func areListed() throws {
        for label in Label.allCases {
            #expect(try occurrences(of: "\"\(label.rawValue)\"", inFilesOtherThan: "") == 1)
        }
        #expect(try occurrences(of: "earshot/v1/", inFilesOtherThan: "Label.swift", folder: "Sources/ChatCrypto") == 0)
    }

    /// Counts whole words in code, without comments.
    private func occurrences(
        of word: String,
        inFilesOtherThan excluded: String,
        folder: String = "Sources"
    ) throws -> Int {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(folder)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") && ($0 as NSString).lastPathComponent != excluded }
        #expect(files.count > 20)
        var count = 0
        for file in files {
            // A search of bytes is many times faster than one of lines, and most files have no occurrence.
            let bytes = try Data(contentsOf: root.appending(path: file))
            guard bytes.range(of: Data(word.utf8)) != nil else { continue }
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                for range in line.ranges(of: word) {
                    let next = line[range.upperBound...].first
                    let isWhole = !(word.last?.isLetter ?? false) || !(next.map { $0.isLetter || $0.isNumber } ?? false)
                    if isWhole { count += 1 }
                }
            }
        }
        return count
    }
}
