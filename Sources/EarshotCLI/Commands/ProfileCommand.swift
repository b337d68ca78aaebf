import ArgumentParser
import EarshotRPC

/// Shows or changes the user's nickname, emoji and colour.
struct ProfileCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show or change your nickname, emoji and colour.",
        discussion: """
            Nickname, emoji and colour help people to tell you apart and prove nothing. Everybody on the mesh can \
            see the nickname; people you talk to can see the emoji and the colour. The colours: red, orange, yellow, \
            green, teal, blue, purple, pink. An empty --emoji or --colour removes it.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(help: "The nickname for others to see.")
    var name: String?

    @Option(help: "One emoji beside the nickname.")
    var emoji: String?

    @Option(help: "A colour beside the nickname.")
    var colour: String?

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let profile = try await caller.call(ProfileCall(name: name, emoji: emoji, colour: colour))
            var table = Table()
            table.add("Name", profile.name)
            table.add("Emoji", profile.emoji ?? "-")
            table.add("Colour", profile.colour ?? "-")
            try console.result(profile, table.lines)
        }
    }
}
