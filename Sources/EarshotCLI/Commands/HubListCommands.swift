import ArgumentParser
import GatewayCore

extension HubCommand {
    /// Adds a hub to the data directory.
    struct AddCommand: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a hub to those that your node connects with, or change its login.",
            discussion: """
                The hub's operator sees your internet address, when and how much mail passes. Not who or what.

                Examples:
                  earshot hub add tls://club@hub.example.org
                  earshot hub add --hub-proxy socks5://127.0.0.1:9050 nats://club@HUB.onion

                A proxy holds for all hubs of the data directory.
                """
        )

        @OptionGroup var global: GlobalOptions

        @OptionGroup var hub: HubArguments

        func perform(_ console: Console) async throws {
            var list = try HubList(in: HomeDirectory(global))
            let address = try hub.address()
            let isNew = try list.add(address, by: hub.hubProxy)
            let text = isNew ? "\(address) is one of your hubs now." : "The login at \(address) is changed."
            let use = try await HubListReport.useText(in: HomeDirectory(global), isAdded: true)
            try console.result(HubListReport(list), [text, use])
        }
    }

    /// Removes a hub from the data directory.
    struct RemoveCommand: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a hub from those that your node connects with."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The name or the address of the hub.", valueName: "HUB"))
        var hub: String

        func perform(_ console: Console) async throws {
            var list = try HubList(in: HomeDirectory(global))
            try list.remove(hub)
            let use = try await HubListReport.useText(in: HomeDirectory(global), isAdded: false)
            try console.result(HubListReport(list), ["Removed.", use])
        }
    }

    /// Lists the hubs of the data directory.
    struct ListCommand: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the hubs that your node connects with. `earshot status` shows their states."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            let list = try HubList(in: HomeDirectory(global))
            var lines = list.hubs.map { hub in
                hub.text + (hub.user.map { ", with the login of \(DisplayText.safe($0))" } ?? "")
            }
            if let proxy = list.proxy { lines.append("All by the proxy \(proxy.text).") }
            try console.result(HubListReport(list), lines.isEmpty ? ["No hubs."] : lines)
        }
    }

    /// The machine-readable list of hubs; it shows no login.
    private struct HubListReport: Encodable {
        let hubs: [String]
        let proxy: String?

        init(_ list: HubList) { (hubs, proxy) = (list.hubs.map(\.text), list.proxy?.text) }

        /// Has the running node follow the list; returns a sentence about it.
        static func useText(in home: HomeDirectory, isAdded: Bool) async throws -> String {
            switch try await HubList.reload(in: home) {
            case nil: "Your node \(isAdded ? "uses it from its next start on" : "leaves it at its next start")."
            case true: isAdded ? "Your node connects with it now; `earshot status` shows it." : "Your node has left it."
            case false: "Your node was started with --no-hub, and connects with none."
            }
        }
    }
}
