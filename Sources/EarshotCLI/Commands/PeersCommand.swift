import ArgumentParser
import EarshotRPC
import Foundation

/// Lists the known peers.
struct PeersCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(commandName: "peers", abstract: "List all known peers.")

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withNode { caller in
            let contacts = try await caller.call(ContactsCall())
            try console.result(contacts, ContactTable.lines(contacts))
        }
    }
}

extension ContactReply {
    /// The word for the trust state, or `replaced` for an identity whose owner moved to another one.
    var standing: String { successor != nil && trust != "changed" ? "replaced" : TrustText.word(trust) }

    /// The user's name for the contact with the nickname in parentheses, or the nickname alone.
    var bothNames: String { claimedName.map { "\(name) (\($0))" } ?? name }
}

/// The contacts as a table.
enum ContactTable {
    /// Formats a line for each contact, or one line that says there are none.
    static func lines(_ contacts: [ContactReply], now: Date = Date()) -> [String] {
        guard !contacts.isEmpty else { return ["No peers are known yet."] }
        var table = Table(["NAME", "TRUST", "PRESENCE", "HOPS", "PEER ID"])
        for contact in contacts {
            let hops = contact.hops.map(String.init) ?? "-"
            let name = contact.emoji.map { "\($0) \(contact.bothNames)" } ?? contact.bothNames
            let presence = PresenceText.words(contact, now: now)
            table.add(name, contact.standing, presence, hops, String(contact.id.prefix(16)))
        }
        return table.lines + ClaimText.lines(contacts)
    }
}
