import ArgumentParser
import EarshotRPC

extension TrustCommand {
    /// Replaces the user's own identity.
    struct Rotate: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Go on under a new identity of your own.",
            discussion: """
                All contacts are told, by the outbox, so those who are away as well. Whoever trusts you on first use goes on \
                by itself; whoever has verified you is asked, and compares a new safety number with you. Nickname, contacts, \
                conversations and history stay. The old identity receives for 8 days, then its keys are destroyed. Groups \
                know their members by identity: you leave those you are in, and where the owner is a contact of yours, the \
                owner's node takes the new identity in; groups that you own you hand over first. What you wrote before can be \
                edited no more. Rooms go on as they are. Where the old keys may be stolen, `trust revoke` comes instead.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var confirmation: Confirmation

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let plan = try await caller.call(RotationPlanCall())
                for line in Self.lines(of: plan) { console.note(line) }
                if plan.owned.isEmpty {
                    let question = "Replace your identity by a new one? It cannot be brought back."
                    try confirmation.ask(question, otherwise: "Your identity is what it was.")
                }
                let reply = try await caller.call(RotateIdentityCall())
                let identity = IdentityOutput(id: reply.id, name: reply.name, fingerprint: reply.fingerprint)
                try console.result(identity, identity.lines(console))
                console.note("Backups and certificates of the old identity are none of the new one: make them anew.")
                if caller is LocalCaller, plan.contacts > 0 {
                    console.note("Your contacts are told as soon as a node runs on this home.")
                }
            }
        }

        private static func lines(of plan: RotationPlanCall.Reply) -> [String] {
            let titles = { (titles: [String]) in titles.map { "'\(DisplayText.safe($0))'" }.joined(separator: ", ") }
            var lines = ["Contacts who will be told of your new identity: \(plan.contacts)."]
            if !plan.following.isEmpty {
                lines.append("You leave \(titles(plan.following)); the owners' nodes take the new identity in.")
            }
            if !plan.leaving.isEmpty {
                lines.append(
                    "You leave \(titles(plan.leaving)); ask the owners, who are no contacts, to take you in again."
                )
            }
            return lines
        }
    }
}
