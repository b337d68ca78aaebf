import Testing

@testable import EarshotCLI

@Suite("QR codes in a terminal", .enabled(if: ZBar.isInstalled, ZBar.need))
struct QRTextTests {
    @Test(
        "What is drawn with half blocks is read back by a program for cameras",
        arguments: [
            "0", "47-482913", "Zażółć 🦊", String(repeating: "A7", count: 128), String(repeating: "x", count: 512),
            "EARSHOT:ROOM?ID=" + String(repeating: "0A", count: 16) + "&KEY=" + String(repeating: "F9", count: 16),
        ]
    )
    func readBack(text: String) throws {
        let lines = QRText.lines(text, coloured: false)
        #expect(Set(lines.map(\.count)) == [2 * lines.count - 1])
        #expect(try ZBar.read(lines) == [text])
    }

    @Test("In colours the modules are the same, on black wherever the terminal is light")
    func colours() {
        let plain = QRText.lines("47-482913", coloured: false)
        let coloured = QRText.lines("47-482913", coloured: true)
        #expect(coloured == plain.map { "\u{1B}[97;40m\($0)\u{1B}[0m" })
    }
}
