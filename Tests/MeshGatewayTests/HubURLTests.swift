import Testing

@testable import GatewayCore

@Suite("Addresses of hubs")
struct HubURLTests {
    @Test(
        "An address has a scheme, a host, and perhaps a login and a port",
        arguments: [
            ("tls://hub.example.org", "hub.example.org", 4_222, nil, nil),
            ("TLS://Club:se%20cret@Hub.example.org:4333/", "hub.example.org", 4_333, "Club", "se cret"),
            ("tls://admin@hub.example.org", "hub.example.org", 4_222, "admin", nil),
            ("nats://[fd00::1]:4223", "fd00::1", 4_223, nil, nil),
            ("nats://10.0.0.5", "10.0.0.5", 4_222, nil, nil),
        ] as [(String, String, UInt16, String?, String?)]
    )
    func parts(text: String, host: String, port: UInt16, user: String?, password: String?) throws {
        let url = try HubURL(text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.user == user)
        #expect(url.password == password)
        #expect(url.isSecure == text.lowercased().hasPrefix("tls"))
    }

    @Test("No text of an address shows its login")
    func login() throws {
        let url = try HubURL("tls://club:secret@hub.example.org:4333")
        #expect(url.description == "hub.example.org:4333")
        #expect(url.text == "tls://hub.example.org:4333")
        #expect(try HubURL("tls://club:secret@hub.example.org").description == "hub.example.org")
        #expect(try HubURL("nats://club:secret@[::1]:4333").text == "nats://[::1]:4333")
    }

    @Test(
        "Other texts are no addresses",
        arguments: [
            "", "hub.example.org", "https://hub.example.org", "tls://", "tls://:4222", "tls://hub.example.org:0",
            "tls://hub.example.org:65536", "tls://hub.example.org:-1", "tls://hub.example.org/mail",
            "tls://hub.example.org?x=1", "tls://hub.example.org#x", "tls://a%00b@hub.example.org",
            "tls://a:%0A@hub.example.org", "tls://hub example.org",
            "tls://" + String(repeating: "a", count: 251),
        ]
    )
    func nonsense(text: String) {
        #expect(throws: HubError.url) { try HubURL(text) }
    }

    @Test(
        "Clear text stays in private networks",
        arguments: [
            "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "172.31.255.1", "192.168.7.7", "169.254.1.1",
            "localhost", "abcdefghij.onion",
            "[::1]", "[fe80::1]", "[fd12::1]",
        ]
    )
    func near(host: String) throws {
        _ = try HubURL("nats://\(host)")
    }

    @Test(
        "Clear text over the internet is refused, except if it is wanted",
        arguments: [
            "hub.example.org", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "169.253.0.1", "128.0.0.1",
            "[2001:db8::1]",
            "[::]", "[ff02::1]", "notlocalhost", "hub.localhost", "abcdefghij.onion.example.org",
            "10.0.0.1.example.org",
        ]
    )
    func far(host: String) throws {
        let error = #expect(throws: HubError.self) { try HubURL("nats://\(host)") }
        #expect(error?.code == .clearText)
        _ = try HubURL("nats://\(host)", allowsClearText: true)
    }
}
