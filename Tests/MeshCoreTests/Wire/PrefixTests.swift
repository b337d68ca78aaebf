import MeshCore
import Testing

@Suite("Prefix")
struct PrefixTests {
    @Test("A subnet holds its own addresses and no others")
    func membership() throws {
        let base = try #require(IPAddress(bytes: [192, 168, 7, 1]))
        let subnet = Prefix(address: base, length: 23)
        #expect(subnet.contains(try #require(IPAddress(bytes: [192, 168, 6, 9]))))
        #expect(!subnet.contains(try #require(IPAddress(bytes: [192, 168, 8, 9]))))
        #expect(!subnet.contains(try #require(IPAddress(bytes: [UInt8](repeating: 0, count: 16)))))
    }

    @Test("A length beyond the address is clamped, not trapped on")
    func clampedLength() throws {
        let base = try #require(IPAddress(bytes: [10, 0, 0, 1]))
        #expect(Prefix(address: base, length: 999).length == 32)
        #expect(Prefix(address: base, length: -4).length == 0)
    }
}
