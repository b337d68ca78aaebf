import Testing

@testable import EarshotCLI

@Suite("Keys of a terminal")
struct KeyDecoderTests {
    private func scalars(_ text: String) -> [KeyDecoder.Key] { text.unicodeScalars.map { .scalar($0) } }

    @Test("Bytes become scalars however they are cut", arguments: 1...9)
    func pieces(size: Int) {
        var decoder = KeyDecoder()
        let bytes = Array("aé语🦊\u{1B}[A\r".utf8)
        var keys: [KeyDecoder.Key] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            keys += decoder.keys(adding: bytes[start..<min(start + size, bytes.count)])
        }
        #expect(keys + decoder.flush() == scalars("aé语🦊\u{1B}[A\r"))
    }

    @Test("What is pasted between marks is one key, without controls, however it is cut", arguments: 1...12)
    func pastes(size: Int) {
        var decoder = KeyDecoder()
        let bytes = Array("x\u{1B}[200~/quit\r\n\u{1B}[2Jé\ty\u{1B}[201~z".utf8)
        var keys: [KeyDecoder.Key] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            keys += decoder.keys(adding: bytes[start..<min(start + size, bytes.count)])
        }
        #expect(keys == [.scalar("x"), .pasted("/quit\n[2Jé\ty"), .scalar("z")])
    }

    @Test("Lines that come at once without marks are pasted, but for the end of the last")
    func pastesWithoutMarks() {
        var decoder = KeyDecoder()
        #expect(
            decoder.keys(adding: Array("/quit\rtwo\n\r".utf8)) == [.pasted("/quit\ntwo"), .scalar("\n"), .scalar("\r")]
        )
        #expect(decoder.keys(adding: Array("one\r".utf8)) == scalars("one\r"))
    }

    @Test("A lone escape is held until it is clear that nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(adding: [0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.scalar("\u{1B}")])
        #expect(!decoder.isWaiting)
    }

    @Test("Ctrl-C, Ctrl-Z and Ctrl-L are no text")
    func controls() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(adding: [0x03, 0x1A, 0x0C]) == [.interrupt, .suspend, .redraw])
    }

    @Test("Of a paste that never ends, so much is kept and no more")
    func endlessPaste() {
        var decoder = KeyDecoder()
        _ = decoder.keys(adding: Array("\u{1B}[200~".utf8))
        let piece = [UInt8](repeating: 0x61, count: 65_536)
        for _ in 0..<6 { #expect(decoder.keys(adding: piece) == []) }
        let keys = decoder.keys(adding: Array("\u{1B}[201~".utf8))
        #expect(keys == [.pasted(String(repeating: "a", count: KeyDecoder.pasteByteCount))])
    }
}
