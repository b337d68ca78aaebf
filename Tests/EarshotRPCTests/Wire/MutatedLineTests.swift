import Earshot
import EarshotRPC
import Foundation
import Testing

@Suite("Mutated lines")
struct MutatedLineTests {
    private static let seedLines = [
        #"{"jsonrpc":"2.0","method":"status","id":1}"#,
        #"{"jsonrpc":"2.0","method":"send","params":{"to":"Bob","text":"Zażółć 🦊"},"id":"a"}"#,
        #"{"jsonrpc":"2.0","method":"history","params":{"conversation":"Bob","limit":5,"before":null},"id":1.5e3}"#,
        #"[{"jsonrpc":"2.0","method":"subscribe","params":{"events":["message"]},"id":null},{"jsonrpc":"2.0","method":"shutdown"}]"#,
        #"{"jsonrpc":"2.0","method":"trust","params":{"peer":"\u0042ob","action":"block"},"id":-9007199254740993}"#,
        #"{"jsonrpc":"2.0","method":"room.import","params":{"rooms":[{"id":"\#(Samples.groupHex)","title":"T","name":"N","maximumMembers":2}]},"id":2}"#,
    ].map { Array($0.utf8) }

    @Test("20,000 mutated lines are answered with nothing or with JSON", arguments: 1...20 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let dispatcher = RPCDispatcher(node: try await ChatNode.alice())
        for _ in 0..<1_000 {
            var line = Self.seedLines.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0...6, using: &random) { Self.mutate(&line, &random) }
            guard let answer = await dispatcher.answer(line).line else { continue }
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(answer))) != nil
            #expect(isJSON && !answer.contains(10), "seed \(seed): \(Data(line).base64EncodedString())")
        }
    }

    private static func mutate(_ line: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...line.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where place < line.count: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where place < line.count: line[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2 where place < line.count: line.remove(at: place)
        case 3:
            line.insert(
                contentsOf: [#"""#, "{", "[", "\\", "1e999", "null", "\u{1}"].randomElement(using: &random)?.utf8.map {
                    $0
                } ?? [],
                at: place
            )
        default:
            let other = seedLines.randomElement(using: &random) ?? []
            line.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
        }
    }
}
