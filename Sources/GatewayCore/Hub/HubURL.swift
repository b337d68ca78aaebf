import Foundation

/// The address of a hub, with the login if it has one.
///
/// A hub is a NATS server that keeps mail. No text of the address shows the login. Source: Examples/Hub/README.md.
package struct HubURL: Hashable, Sendable, CustomStringConvertible {
    /// The port of a hub whose address names none.
    package static let defaultPort: UInt16 = 4_222
    /// Units: bytes of an address.
    package static let maximumByteCount = 256

    /// Whether the connection is encrypted by TLS.
    package let isSecure: Bool
    /// The name or the numeric address, without brackets.
    package let host: String
    /// The TCP port.
    package let port: UInt16
    /// The name of the login; nil for an open hub.
    package let user: String?
    /// The password of the login.
    package var password: String?
    /// The proxy by which the hub is reached; nil for the direct way.
    package var proxy: HubProxy?

    /// Parses `tls://` or `nats://`, an optional login, a host and an optional port.
    ///
    /// - Parameter allowsClearText: Whether `nats://` may name a host on the internet.
    /// - Throws: `url` if the text is something else, `clearText` if others could read the connection.
    package init(_ text: String, allowsClearText: Bool = false) throws(HubError) {
        guard text.utf8.count <= Self.maximumByteCount, let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "tls" || scheme == "nats",
            let host = parts.host?.trimmingCharacters(in: ["[", "]"]), Self.isHost(host),
            Self.isPrintable(parts.user), Self.isPrintable(parts.password),
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil,
            let port = UInt16(exactly: parts.port ?? Int(Self.defaultPort)), port > 0
        else { throw .url }
        isSecure = scheme == "tls"
        self.host = host.lowercased()
        self.port = port
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        // Tor encrypts the way to its services, which nobody reaches without its proxy.
        guard isSecure || allowsClearText || Self.isNear(self.host) || Self.isOnion(self.host) else {
            throw .clearText(self.host)
        }
    }

    /// Returns the address with another proxy, nil for the direct way.
    package func reached(by proxy: HubProxy?) -> HubURL {
        var hub = self
        hub.proxy = proxy
        return hub
    }

    /// The host, and the port if it is not the usual one.
    package var description: String { port == Self.defaultPort ? host : endpoint }

    /// The host and the port.
    package var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address with the login.
    package var secretText: String {
        var parts = URLComponents()
        (parts.scheme, parts.user, parts.password) = (isSecure ? "tls" : "nats", user, password)
        (parts.host, parts.port) = (host.contains(":") ? "[\(host)]" : host, Int(port))
        return parts.string ?? text
    }

    /// The address without the login.
    package var text: String { text(login: nil) }

    /// The address with another login.
    func text(login: String?) -> String {
        let place = host.contains(":") ? "[\(host)]" : host
        let user = login.map { "\($0)@" } ?? ""
        return (isSecure ? "tls://" : "nats://") + user + place + (port == Self.defaultPort ? "" : ":\(port)")
    }

    /// Whether the host is a numeric address.
    package var isNumeric: Bool {
        Self.address(host, family: AF_INET, byteCount: 4) != nil
            || Self.address(host, family: AF_INET6, byteCount: 16) != nil
    }

    /// Whether only Tor's proxy knows the way to the hub.
    package var isOnion: Bool { Self.isOnion(host) }

    private static func isOnion(_ host: String) -> Bool { host.hasSuffix(".onion") }

    /// Returns whether a text may be a host.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && !text.hasSuffix(".")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
    }

    private static func isPrintable(_ text: String?) -> Bool {
        text?.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) } ?? true
    }

    /// Returns whether a host is this machine, or by its numeric address one of a private or local network.
    ///
    /// Other names may lead anywhere. Source: RFC 1918, RFC 3927, RFC 4193, RFC 4291 section 2.5.6.
    static func isNear(_ host: String) -> Bool {
        if host == "localhost" { return true }
        if let bytes = address(host, family: AF_INET, byteCount: 4) {
            return bytes[0] == 127 || bytes[0] == 10 || bytes[0] == 172 && bytes[1] & 0xF0 == 16
                || bytes[0] == 192 && bytes[1] == 168 || bytes[0] == 169 && bytes[1] == 254
        }
        guard let bytes = address(host, family: AF_INET6, byteCount: 16) else { return false }
        let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        return isLoopback || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Returns the bytes of a numeric address; nil for a name.
    private static func address(_ host: String, family: Int32, byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }
}
