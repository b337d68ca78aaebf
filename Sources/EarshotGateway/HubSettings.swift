import GatewayCore

/// The settings of a gateway's connections.
public struct HubSettings: Hashable, Sendable {
    /// A file with certificates in PEM form, of which the hubs' certificates may descend besides those of the system.
    public var authorities: String?
    /// The bytes of a day, beyond which only the node's own mail goes; nil for no limit.
    public var dayLimit: Int?
    /// The proxy by which the hubs are reached, such as `socks5://127.0.0.1:9050`, names too; nil for the direct way.
    public var proxy: String?
    /// Whether `nats://` may name a host on the internet, although others can read and change what is sent.
    public var allowsClearText: Bool

    /// Makes settings from their parts.
    public init(
        authorities: String? = nil,
        dayLimit: Int? = nil,
        proxy: String? = nil,
        allowsClearText: Bool = false
    ) {
        self.authorities = authorities
        self.dayLimit = dayLimit
        self.proxy = proxy
        self.allowsClearText = allowsClearText
    }

    /// Reads the addresses of hubs.
    func hubs(at addresses: [String]) throws(HubAddressError) -> [HubURL] {
        guard 1...GatewayLimits.hubCount ~= addresses.count else {
            throw HubAddressError("A gateway has 1 to \(GatewayLimits.hubCount) hubs, not \(addresses.count).")
        }
        var hubs: [HubURL] = []
        do throws(HubError) {
            let proxy: HubProxy? = if let proxy { try HubProxy(proxy) } else { nil }
            for address in addresses {
                hubs.append(try HubURL(address, allowsClearText: allowsClearText).reached(by: proxy))
            }
        } catch {
            let remedy = "\(error.what) Use tls://, or allowsClearText."
            throw HubAddressError(error.code == .clearText ? remedy : error.description)
        }
        guard Set(hubs.map(\.endpoint)).count == hubs.count else {
            throw HubAddressError("Two of the hubs are the same. Name each once.")
        }
        return hubs
    }
}

/// The reason for which a gateway cannot use an address.
public struct HubAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in sentences; it shows no login.
    public let description: String

    init(_ description: String) { self.description = description }
}
