import ArgumentParser
import EarshotRPC
import Foundation

/// Shows the part of the mesh that this node knows.
struct MapCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Show links, discovered nodes, and the distance of contacts.",
        discussion: """
            A node sees its own links and segments, and the distances of contacts from the paths of the last two \
            minutes: `ping` measures one. No node knows the whole mesh.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print the map as a picture (SVG), as in `earshot map --svg > mesh.svg`.")
    var svg = false

    func validate() throws {
        guard !svg || !global.json else { throw ValidationError("Give --svg or --json.") }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        guard let client = try await home.directory.connect() else {
            throw CommandFailure(
                .unavailable,
                "No node runs in \(home.directory.url.path), so nothing is known of the mesh. Run `earshot node`."
            )
        }
        let outcome = await HomeAccess.outcome {
            let map = try await client.call(MapCall())
            try console.result(map, svg ? MapDrawing(map).lines : MapText.lines(map))
        }
        await client.close()
        try outcome.get()
    }
}

/// The map as text for a terminal.
enum MapText {
    /// Formats the links, the discovered peers and the contacts, each as a table.
    static func lines(_ map: MapReply) -> [String] {
        let names = Dictionary(map.contacts.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        func name(_ peer: String?) -> String { peer.flatMap { names[$0] } ?? "" }

        var links = Table(["LINK TO", "ADDRESS", "RTT", "UP", "CONTACT"])
        for link in map.links {
            let uptime = TimeText.span(seconds: link.uptime)
            links.add(link.node, link.address, roundTrip(link.rtt), uptime, name(link.peer))
        }
        var heard = Table(["HEARD", "ADDRESS", "LINK", "CONTACT"])
        for neighbour in map.neighbours {
            heard.add(neighbour.node, neighbour.address, neighbour.linked ? "yes" : "no", name(neighbour.peer))
        }
        var contacts = Table(["NAME", "TRUST", "HOPS", "RTT"])
        for contact in map.contacts {
            contacts.add(contact.name, contact.standing, contact.hops.map(String.init) ?? "-", roundTrip(contact.rtt))
        }
        let blocks = [
            map.links.isEmpty ? ["No links."] : links.lines,
            map.neighbours.isEmpty ? ["No nodes are discovered."] : heard.lines,
            map.contacts.isEmpty ? ["No contacts are known yet."] : contacts.lines,
        ]
        return ["The present id of this node is \(map.node)."] + blocks.flatMap { [""] + $0 }
    }

    private static func roundTrip(_ seconds: Double?) -> String {
        seconds.map(TimeText.roundTrip) ?? "-"
    }
}
