import ArgumentParser
import EarshotRPC

extension TrustCommand {
    /// Replaces the user's own identity.
    struct Rotate: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Replace your identity by a new one.",
            discussion: """
                All contacts are notified through the outbox, offline contacts too. Contacts that trust you on first \
                use follow by themselves; contacts that have verified you are asked, and compare a new safety number \
                with you. Nickname, contacts, conversations and history stay. The old identity receives for 8 days, \
                then its keys are destroyed. Groups know their members by identity: you leave your groups, and the \
                owner's node adds the new identity if the owner is your contact. Hand over the groups that you own \
                first. You can no longer edit earlier messages. Rooms continue unchanged. If the old keys may be \
                stolen, use `trust revoke` instead.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var confirmation: Confirmation

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let plan = try await caller.call(RotationPlanCall())
                for line in Self.lines(of: plan) { console.note(line) }
                if plan.owned.isEmpty {
                    let question = "Replace your identity by a new one? This cannot be undone."
                    try confirmation.ask(question, otherwise: "Your identity is unchanged.")
                }
                let reply = try await caller.call(RotateIdentityCall())
                let identity = IdentityOutput(id: reply.id, name: reply.name, fingerprint: reply.fingerprint)
                try console.result(identity, identity.lines(console))
                console.note("Backups and certificates of the old identity do not fit the new one. Make new ones.")
                if caller is LocalCaller, plan.contacts > 0 {
                    console.note("Your contacts are notified as soon as a node runs in this data directory.")
                }
            }
        }

        private static func lines(of plan: RotationPlanCall.Reply) -> [String] {
            let titles = { (titles: [String]) in titles.map { "'\(DisplayText.safe($0))'" }.joined(separator: ", ") }
            var lines = ["Contacts that will be notified of your new identity: \(plan.contacts)."]
            if !plan.following.isEmpty {
                lines.append("You leave \(titles(plan.following)); the owners' nodes add the new identity.")
            }
            if !plan.leaving.isEmpty {
                lines.append(
                    "You leave \(titles(plan.leaving)). Ask the owners, who are not your contacts, to add you again."
                )
            }
            return lines
        }
    }
}
