import ArgumentParser
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

    @Flag(help: "Allow --hub nats:// outside of private networks, although others can read and change what is sent.")
    var hubInsecure = false

    func validate() throws {
        guard !withoutHub || hubs.isEmpty else { throw ValidationError("--no-hub and --hub exclude each other.") }
        do throws(HubError) {
            for hub in hubs { _ = try HubURL(hub, allowsClearText: hubInsecure) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Returns the hubs with which a node on this data directory connects.
    func hubs(in home: HomeDirectory) throws -> [HubURL] {
        guard !withoutHub else { return [] }
        let given = try hubs.map { try HubURL($0, allowsClearText: hubInsecure) }
        return try HubList(in: home).adding(given)
    }
}
