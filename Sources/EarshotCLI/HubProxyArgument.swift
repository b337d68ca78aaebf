import ArgumentParser
import GatewayCore

/// The choice of a proxy for hubs.
struct HubProxyArgument: ExpressibleByArgument {
    /// The help of the option.
    static let help = ArgumentHelp(
        "The SOCKS5 proxy by which hubs are reached, such as socks5://127.0.0.1:9050 for that of Tor; `none` for none. "
            + "`hub add` and nodes keep the choice, for all hubs of the data directory.",
        valueName: "URL"
    )

    /// The proxy; nil for the direct way.
    let proxy: HubProxy?

    init?(argument: String) {
        guard argument != "none" else {
            proxy = nil
            return
        }
        guard let proxy = try? HubProxy(argument) else { return nil }
        self.proxy = proxy
    }
}
