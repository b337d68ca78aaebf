import Bytes
import MeshCore
import Testing

@Suite("Byte reader and writer")
struct ByteReaderTests {
    @Test("Variable integers come back as written", arguments: [0, 1, 127, 128, 16_383, 1 << 35, UInt64.max])
    func variableIntegers(value: UInt64) {
        var writer = ByteWriter()
        writer.append(variable: value)
        var reader = ByteReader(writer.bytes)
        #expect(reader.variableInteger() == value)
        #expect(reader.isAtEnd)
    }

    @Test("A variable integer that never ends or overflows is refused")
    func hostileVariableIntegers() {
        var endless = ByteReader([UInt8](repeating: 0x80, count: 20))
        #expect(endless.variableInteger() == nil)
        var overflowing = ByteReader([UInt8](repeating: 0xFF, count: 9) + [0x02])
        #expect(overflowing.variableInteger() == nil)
    }

    @Test("Reading past the end answers nil and takes nothing")
    func pastTheEnd() {
        var reader = ByteReader([1, 2, 3])
        #expect(reader.integer(UInt32.self) == nil)
        #expect(reader.take(-1) == nil)
        #expect(reader.integer(UInt16.self) == 0x0102)
        #expect(reader.remainingCount == 1)
    }
}
