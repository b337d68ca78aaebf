import Foundation
import Testing

/// The inputs that fuzzing has kept, and those that once broke a target, replayed in `swift test`.
///
/// Each target runs in a process of its own: some replace libsodium's generator with a seeded one, and a target that
/// breaks ends its process.
@Suite("Inputs of the fuzzer", .timeLimit(.minutes(20)))
struct ReplayTests {
    @Test("Each target takes an empty input and all that were kept", arguments: Corpora.targets.keys.sorted())
    func replay(name: String) async throws {
        await #expect(processExitsWith: .success) { [name] in
            let target = try #require(Corpora.targets[name])
            for input in try [[]] + Corpora.inputs(of: name) { target(input) }
        }
    }

    @Test("A target that breaks is noticed")
    func breaking() async {
        await #expect(processExitsWith: .failure) {
            let target: Target = { input in precondition(!input.isEmpty) }
            target([])
        }
    }

    @Test("Every corpus and every failing input has its target", arguments: ["Corpus", "FailCases"])
    func places(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Corpora.vectors.appending(path: folder).path)
        #expect(!names.isEmpty && Set(names).isSubset(of: Corpora.targets.keys))
        #expect(try names.allSatisfy { try !Corpora.inputs(of: $0).isEmpty })
    }
}

/// The fuzz targets of all modules with their inputs.
enum Corpora {
    static let vectors = URL(filePath: #filePath).appending(path: "../../../Tests/Vectors").standardizedFileURL

    static let targets = [
        meshCoreTargets, meshGatewayTargets, chatCryptoTargets, chatHistoryTargets, chatCoreTargets, mediaTargets,
    ].reduce(into: [String: Target]()) { all, targets in all.merge(targets) { _, other in other } }

    /// Reads the inputs of a target: a corpus is a file of lines in base64, and each failing input is a file.
    static func inputs(of name: String) throws -> [[UInt8]] {
        let corpus = vectors.appending(path: "Corpus/\(name)")
        let failures = vectors.appending(path: "FailCases/\(name)")
        var inputs: [[UInt8]] = []
        if FileManager.default.fileExists(atPath: corpus.path) {
            let text = try String(contentsOf: corpus, encoding: .utf8)
            inputs += try text.split(separator: "\n").map { Array(try #require(Data(base64Encoded: String($0)))) }
        }
        if FileManager.default.fileExists(atPath: failures.path) {
            let files = try FileManager.default.contentsOfDirectory(at: failures, includingPropertiesForKeys: nil)
            inputs += try files.map { Array(try Data(contentsOf: $0)) }
        }
        return inputs
    }
}
