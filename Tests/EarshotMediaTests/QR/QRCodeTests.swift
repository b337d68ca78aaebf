import EarshotMedia
import Testing

@Suite("QR codes")
struct QRCodeTests {
    @Test("A short text is a code of 21 modules with its three marks, and light around it")
    func small() throws {
        let code = try #require(QRCode("47-482913"))
        #expect(code.edge == 21)
        for (column, row) in [(0, 0), (14, 0), (0, 14)] {
            let mark = (0..<7).map { y in (0..<7).map { x in code[column + x, row + y] } }
            let ring = (0..<7).map { y in (0..<7).map { x in max(abs(x - 3), abs(y - 3)) != 2 } }
            #expect(mark == ring)
        }
        #expect(!code[-1, 0] && !code[0, -1] && !code[21, 0] && !code[0, 21])
    }

    @Test("Of nothing, of zero bytes and of more than the limit there is no code")
    func limits() {
        let longest = String(repeating: "é", count: QRCode.textByteCount / 2)
        #expect(QRCode(longest) != nil)
        for text in ["", "a\0b", longest + "x"] { #expect(QRCode(text) == nil) }
    }
}
