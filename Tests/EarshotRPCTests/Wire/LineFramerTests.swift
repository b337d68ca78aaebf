import EarshotRPC
import Testing

@Suite("Line framer")
struct LineFramerTests {
    @Test("Bytes give the same lines however they are cut", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expected = (0..<20).map { _ in
            (0...Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 32...126, using: &random) }
        }
        var bytes = Array(expected.map { $0 + [10] }.joined())
        var framer = LineFramer()
        var lines: [[UInt8]] = []
        while !bytes.isEmpty {
            let count = Int.random(in: 1...min(50, bytes.count), using: &random)
            lines += try framer.lines(adding: bytes.prefix(count))
            bytes.removeFirst(count)
        }
        #expect(lines == expected)
    }

    @Test("Empty lines are left out, an unfinished one is kept back")
    func emptyLines() throws {
        var framer = LineFramer()
        #expect(try framer.lines(adding: Array("\n\na\n\nb".utf8)) == [Array("a".utf8)])
        #expect(try framer.lines(adding: Array("c\n".utf8)) == [Array("bc".utf8)])
    }

    @Test("A line of the limit passes, one byte more does not")
    func limit() throws {
        let longest = [UInt8](repeating: 120, count: RPCLimits.lineByteCount)
        var framer = LineFramer()
        #expect(try framer.lines(adding: longest + [10]) == [longest])
        #expect(throws: LineFramer.LineTooLong.self) { try framer.lines(adding: longest + [120]) }
    }
}
