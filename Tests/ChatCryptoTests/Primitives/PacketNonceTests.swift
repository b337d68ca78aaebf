import Testing

@testable import ChatCrypto

@Suite("Packet nonces")
struct PacketNonceTests {
    @Test(
        "A nonce is four zeros and the number",
        arguments: [
            (UInt64(0), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            (0x0102_0304_0506_0708, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
            (UInt64.max, [0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]),
        ] as [(UInt64, [UInt8])]
    )
    func writesTheNumber(number: UInt64, bytes: [UInt8]) {
        #expect(PacketNonce(number).bytes == bytes)
    }
}
