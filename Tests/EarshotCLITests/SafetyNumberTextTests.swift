import Testing

@testable import EarshotCLI

@Suite("Safety numbers as typed")
struct SafetyNumberTextTests {
    private static let number = String(repeating: "0123456789", count: 6)

    @Test("Spaces, line ends and hyphens between the digits do not matter")
    func separators() {
        let grouped = SafetyNumberText.grouped(Self.number)
        #expect(grouped.hasPrefix("01234 56789 01234"))
        #expect(SafetyNumberText.digits(grouped) == Self.number)
        #expect(SafetyNumberText.digits(grouped.replacing(" ", with: "-") + "\n") == Self.number)
    }

    @Test(
        "Anything but 60 digits is none",
        arguments: ["", "12345", number + "1", number.dropLast() + "x", number.dropLast() + "٣"]
    )
    func refused(text: String) {
        #expect(SafetyNumberText.digits(text) == nil)
    }
}
