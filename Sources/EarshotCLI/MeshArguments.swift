import ArgumentParser
import Earshot
import MeshTransport

/// The options for a command's node in the mesh.
struct MeshArguments: ParsableArguments {
    @OptionGroup var place: MeshPlace

    @Option(help: ArgumentHelp("The UDP port for the --peer option of others. Default: any.", valueName: "N"))
    var port: UInt16 = 0

    /// Makes the options of the library.
    func options(isRelayOnly: Bool = false) throws -> MeshOptions {
        try place.options(port: port, isRelayOnly: isRelayOnly)
    }
}

/// The options for the places where a command's node looks for others.
struct MeshPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this network interface; may be given several times. Default: all but tunnels, bridges and those of "
                + "containers.",
            valueName: "IF"
        )
    )
    var interface: [String] = []

    @Option(
        help: ArgumentHelp("Look for neighbours in this group; may be given several times.", valueName: "ADDR:PORT")
    )
    var discovery: [String] = []

    @Flag(name: .customLong("no-multicast"), help: "Do not look for neighbours by multicast.")
    var withoutMulticast = false

    @Option(help: ArgumentHelp("Always keep a link to this node; may be given several times.", valueName: "HOST:PORT"))
    var peer: [String] = []

    @Option(
        help: ArgumentHelp(
            "Link over a stream too; may be given several times. tcp:HOST:PORT connects, listen:PORT accepts connections "
                + "of this machine, listen:ADDRESS:PORT those of others, and exec:COMMAND uses a command's standard "
                + "input and output, such as 'exec:ssh HOST nc localhost PORT'.",
            valueName: "CARRIER"
        )
    )
    var carrier: [String] = []

    @Option(help: ArgumentHelp("The file whose first line is the passphrase of a closed mesh.", valueName: "F"))
    var meshPassphraseFile: String?

    func validate() throws {
        for place in discovery + peer {
            let parts = place.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count > 1, parts.dropLast().contains(where: { !$0.isEmpty }), UInt16(parts.last ?? "") != nil
            else {
                throw ValidationError("`\(place)` is not an address and a port. Write for example 239.255.77.7:47707.")
            }
        }
        for text in carrier {
            do {
                _ = try Carrier(text)
            } catch {
                throw ValidationError(error.reason)
            }
        }
    }

    /// Makes the options of the library.
    func options(port: UInt16, isRelayOnly: Bool = false) throws -> MeshOptions {
        var options = MeshOptions()
        options.interfaces = interface
        options.discoveryGroups = discovery
        options.usesMulticast = !withoutMulticast
        options.staticPeers = peer
        options.carriers = carrier
        options.port = port
        options.passphrase = try meshPassphraseFile.map(Passphrase.read)
        options.isRelayOnly = isRelayOnly
        return options
    }
}
