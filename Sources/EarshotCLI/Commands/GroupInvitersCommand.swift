// The imports are public, because the setting becomes an argument below.
public import ArgumentParser
public import Earshot
import EarshotRPC

extension GroupCommand {
    /// Shows or sets who may add the user to groups without asking.
    struct Inviters: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "inviters",
            abstract: "Show or set who may add you to groups without asking.",
            discussion: """
                Everybody else's invitations wait until you run `group accept` or `group decline`; `group list` shows \
                them. Groups that you are in stay as they are.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(
            help: ArgumentHelp(
                "Your verified contacts, all contacts that you accepted, or nobody. Without it, the setting is shown.",
                valueName: "verified|accepted|nobody"
            )
        )
        var inviters: GroupInviters?

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(GroupInvitersCall(inviters: inviters?.rawValue))
                try console.result(reply, [Self.line(reply.inviters)])
            }
        }

        /// Makes the sentence about the setting.
        static func line(_ inviters: String) -> String {
            switch inviters {
            case "nobody": "All invitations to groups wait for your answer."
            case "verified": "Contacts that you verified may add you to groups; other invitations wait for your answer."
            default: "Contacts that you accepted may add you to groups; other invitations wait for your answer."
            }
        }
    }
}

extension GroupInviters: ExpressibleByArgument {}
