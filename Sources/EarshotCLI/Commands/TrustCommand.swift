import ArgumentParser
import EarshotRPC

/// Shows and changes the trust in contacts.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Show and change the trust in contacts.",
        subcommands: [List.self, Accept.self, Block.self, Unblock.self, Rotate.self, Revoke.self]
    )

    @OptionGroup var global: GlobalOptions
}

extension TrustCommand {
    /// Lists the contacts with their trust state.
    struct List: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List contacts with their trust."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let contacts = try await caller.call(ContactsCall())
                var table = Table(["NAME", "TRUST", "FINGERPRINT"])
                for contact in contacts {
                    table.add(contact.bothNames, contact.standing, contact.fingerprint)
                }
                let lines = table.lines + ClaimText.lines(contacts)
                try console.result(contacts, contacts.isEmpty ? ["No contacts are known yet."] : lines)
            }
        }
    }

    /// Accepts an unknown peer, or the new key of a contact.
    struct Accept: Decision {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept an unknown peer, or the changed key of a contact."
        )
        static let action = "accept"

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A nickname, a peer id or the beginning of one.") var who: String
    }

    /// Blocks a contact.
    struct Block: Decision {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Block a contact: accept nothing from them and send them nothing."
        )
        static let action = "block"

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A nickname, a peer id or the beginning of one.") var who: String
    }

    /// Unblocks a contact.
    struct Unblock: Decision {
        static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Unblock a contact.")
        static let action = "unblock"

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A nickname, a peer id or the beginning of one.") var who: String
    }

    /// A command that carries out one decision on one contact.
    protocol Decision: ConsoleCommand {
        /// The value of the parameter `action` of the method `trust`.
        static var action: String { get }
        /// The contact that the decision is about.
        var who: String { get }
    }
}

extension TrustCommand.Decision {
    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let contact = try await caller.call(TrustCall(peer: who, action: Self.action))
            try console.result(contact, [TrustText.sentence(contact)])
        }
    }
}
