import Bytes
import Testing

struct HexTests {
    @Test("Hexadecimal text survives, in either case, and anything else is refused")
    func roundTrip() {
        let bytes = [UInt8](0...255)
        #expect(Hex.bytes(Hex.text(bytes)) == bytes)
        #expect(Hex.bytes(Hex.text(bytes).uppercased()) == bytes)
        #expect(Hex.text([0x0A, 0xF0]) == "0af0")
        for text in ["0", "0g", " 00", "0x00"] { #expect(Hex.bytes(text) == nil) }
    }
}
