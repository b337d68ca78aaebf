import Testing

@testable import EarshotCLI

@Suite("Numbers of bytes")
struct ByteCountArgumentTests {
    @Test(
        "A number of bytes is read in its unit, a power of 1,024",
        arguments: [
            ("0", 0), ("500000", 500_000), ("512K", 524_288), ("20M", 20_971_520), ("20MiB", 20_971_520),
            ("16G", 17_179_869_184), ("1TiB", 1_099_511_627_776), ("16777215T", 16_777_215 << 40),
        ] as [(String, UInt64)]
    )
    func read(text: String, byteCount: UInt64) {
        #expect(ByteCountArgument(argument: text)?.byteCount == byteCount)
    }

    @Test(
        "What is no number of bytes is refused",
        arguments: ["", "K", "-1", "1.5G", "1 G", "1iB", "1P", "16777216T", "٣K", "99999999999999999999"]
    )
    func refused(text: String) {
        #expect(ByteCountArgument(argument: text) == nil)
    }
}
