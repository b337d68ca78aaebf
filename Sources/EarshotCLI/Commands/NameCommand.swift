import ArgumentParser
import EarshotRPC

/// Gives a contact a name of the user's own.
struct NameCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Give a contact a name of your own, which is shown instead of their nickname.",
        discussion: """
            Anybody can call themselves by any name; this one is yours. Commands find the contact by it. It stays in \
            your data directory, and nobody else sees it: in a message, mention the contact by their nickname. \
            Naming a new person accepts them.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A name, a peer id or the beginning of one.")
    var who: String

    @Argument(help: "The name.")
    var name: String?

    @Flag(help: "Remove the name: the nickname is shown again.")
    var clear = false

    func validate() throws {
        guard (name == nil) == clear else { throw ValidationError("Give a name or --clear.") }
    }

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let contact = try await caller.call(RenameContactCall(peer: who, name: name))
            try console.result(contact, [NameText.sentence(contact)])
        }
    }
}

/// The names of a contact in words.
enum NameText {
    /// Makes the sentence about a contact that was given a name, or has lost it.
    static func sentence(_ contact: ContactReply) -> String {
        let name = DisplayText.safe(contact.name)
        guard contact.localName != nil else { return "\(name) is shown by their nickname." }
        let claimed = contact.claimedName.map { DisplayText.safe($0) }
        return "\(name) is your name for \(claimed ?? String(contact.id.prefix(8)))."
    }
}
