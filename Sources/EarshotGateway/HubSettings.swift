/// The settings of a gateway's connections.
public struct HubSettings: Hashable, Sendable {
    /// A file with certificates in PEM form, of which the hubs' certificates may descend besides those of the system.
    public var authorities: String?
    /// The bytes of a day, beyond which only the node's own mail goes; nil for no limit.
    public var dayLimit: Int?
    /// The proxy by which the hubs are reached, such as `socks5://127.0.0.1:9050`, names too; nil for the direct way.
    public var proxy: String?
    /// Whether random mail, about 30 s apart, hides from the hubs when the node writes.
    public var sendsCover: Bool

    /// Makes settings from their parts.
    public init(authorities: String? = nil, dayLimit: Int? = nil, proxy: String? = nil, sendsCover: Bool = false) {
        self.sendsCover = sendsCover
        self.authorities = authorities
        self.dayLimit = dayLimit
        self.proxy = proxy
    }
}

/// The reason for which a gateway cannot use an address.
public struct HubAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason and the remedy, in sentences.
    public let description: String

    init(_ description: String) { self.description = description }
}
