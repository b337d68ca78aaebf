import ArgumentParser
import Earshot
import EarshotGateway
import GatewayCore

/// The hubs of a command's node.
struct NodeHubArguments: ParsableArguments {
    @Option(
        name: .customLong("hub"),
        help: ArgumentHelp(
            "Pass mail between this network and a hub, such as tls://USER:PASSWORD@hub.example.org; up to 4 times. The "
                + "file HOME/hubs, which `earshot hub add` writes, names hubs without showing logins to other users.",
            valueName: "URL"
        )
    )
    var hubs: [String] = []

    @Flag(name: .customLong("no-hub"), help: "Connect to no hub, and leave HOME/hubs alone.")
    var withoutHub = false

    @Option(
        help: ArgumentHelp(
            "A file with an authority of the hubs' certificates, besides those of the system.",
            valueName: "FILE"
        )
    )
    var hubCa: String?

    @Option(help: HubProxyArgument.help)
    var hubProxy: HubProxyArgument?

    @Option(
        help: ArgumentHelp(
            "The bytes that may go to and from the hubs on a day, such as 500M, about, counted from the start and from each "
                + "change of the hubs. Beyond them only your own mail goes until 00:00 UTC. Default: no limit.",
            valueName: "SIZE"
        )
    )
    var hubLimit: ByteCountArgument?

    @Flag(help: "Allow --hub nats:// outside of private networks, although others can read and change what is sent.")
    var hubInsecure = false

    /// Units: bytes.
    private static let leastLimit: UInt64 = 1 << 20

    func validate() throws {
        guard !withoutHub || hubs.isEmpty else { throw ValidationError("--no-hub and --hub exclude each other.") }
        if let hubLimit, hubLimit.byteCount < Self.leastLimit {
            throw ValidationError("--hub-limit is at least 1M.")
        }
        do throws(HubError) {
            for hub in hubs { _ = try HubURL(hub, allowsClearText: hubInsecure) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Connects a node on this data directory with its hubs.
    ///
    /// - Throws: If the list of the data directory cannot be read.
    func connect(_ node: ChatNode, in home: HomeDirectory) async throws -> NodeHubs {
        let given = try hubs.map { try HubURL($0, allowsClearText: hubInsecure) }
        if let hubProxy, !withoutHub {
            var list = try HubList(in: home)
            try list.setProxy(hubProxy.proxy)
        }
        return try await NodeHubs.connecting(
            node,
            HubSettings(authorities: hubCa, dayLimit: hubLimit.map { Int(clamping: $0.byteCount) }),
            follows: !withoutHub,
            changes: withoutHub ? nil : HubListChanges(home: home, given: given)
        ) { [withoutHub] in withoutHub ? [] : try HubList(in: home).adding(given) }
    }
}
