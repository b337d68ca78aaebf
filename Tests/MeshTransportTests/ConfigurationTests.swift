import MeshCore
import Testing

@testable import MeshTransport

@Suite("Addresses as people write them")
struct ConfigurationTests {
    @Test(
        "A host and port is read and written",
        arguments: [
            ("relay.example:1", "relay.example"), ("10.0.0.1:65535", "10.0.0.1"), ("[fe80::1%eth0]:9", "fe80::1%eth0"),
        ]
    )
    func hostPort(text: String, host: String) throws {
        let parsed = try #require(HostPort(text))
        #expect(parsed.host == host)
        #expect(parsed.description == text)
    }

    @Test(
        "What is no host and port is refused",
        arguments: ["", ":1", "a", "a:", "a:0", "a:65536", "::1:9", "[]:1", "a:-1"]
    )
    func noHostPort(text: String) {
        #expect(HostPort(text) == nil)
    }

    @Test(
        "What is no multicast group is refused",
        arguments: ["10.0.0.1:9", "[fe80::1]:9", "239.0.0.1", "name:9", "239.0.0.1:0"]
    )
    func noGroup(text: String) {
        #expect(MulticastGroup(text) == nil)
    }

    @Test("The standard groups are one of each family on one port")
    func standardGroups() {
        #expect(MulticastGroup.standard.map(\.address.family) == [.v4, .v6])
        #expect(MulticastGroup.standard.map(\.port) == [28_787, 28_787])
        #expect(
            MulticastGroup.standard.last?.address.bytes == [0xFF, 0x12] + [UInt8](repeating: 0, count: 10) + [
                0x45, 0x41, 0x52, 0x53,
            ]
        )
    }
}
