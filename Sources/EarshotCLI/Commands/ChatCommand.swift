import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Opens a chat in a terminal.
struct ChatCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Talk in a terminal.",
        discussion: """
            Your text goes to the open conversation. A line that begins with / is a command; /help lists the \
            commands. New messages appear above your text, with short numbers for use in commands. Ctrl-D or /quit \
            ends the chat. This command talks to the node of the data directory if one runs, and is the node \
            otherwise. In a pipe, each line of standard input is one message or command, and each line of standard \
            output describes one event; with --json, messages of the open conversation are printed as JSON. NO_COLOR \
            turns colours off. kitty, Ghostty, iTerm2 and WezTerm show pictures; foot, mlterm, Contour, yaft and \
            mintty show them as Sixel, outside of tmux and screen. Other terminals show a line, and /save keeps the \
            picture. Use --images for a terminal that Earshot does not recognise, such as an xterm or a tmux with \
            Sixel.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @OptionGroup var media: MediaArguments

    @OptionGroup var delivery: DeliveryArgument

    @OptionGroup(title: "Hubs") var hubs: NodeHubArguments

    @Flag(help: "Send read receipts, if this command is the node.")
    var readReceipts = false

    @Flag(help: "Send typing indicators, if this command is the node.")
    var typing = false

    @Option(
        help: ArgumentHelp(
            "The way in which the terminal shows pictures; auto recognises the terminal by its name.",
            valueName: "auto|kitty|iterm|sixel|none"
        )
    )
    var images = PictureChoice.auto

    @OptionGroup var confirmation: Confirmation

    @Argument(
        help: """
            The conversation: a nickname, a peer id or the beginning of one, group:TITLE, room:TITLE, or the link of \
            `earshot identity --far`.
            """
    )
    var who: String?

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        if let who { try await LinkHubs(of: who).join(in: home.directory, confirmation) }
        let failure: CommandFailure?
        if let client = try await home.directory.connect() {
            let outcome = await Self.result { try await talk(client, StopSignal(), console) }
            await client.close()
            failure = try outcome.get()
        } else {
            let node = try await home.open(mesh: try mesh.options()) { settings in
                settings.sendsReadReceipts = readReceipts
                settings.sendsTyping = typing
                settings.delivery = delivery.delivery
                media.apply(to: &settings)
            }
            let running = try await RunningNode(node, in: home.directory)
            let caller = LocalCaller(node: node)
            let outcome = await Self.result {
                let hubs = try await hubs.connect(node, in: home.directory)
                let outcome = await Self.result { try await talk(caller, running.stopSignal, console) }
                await hubs.stop()
                return try outcome.get()
            }
            await running.stop()
            failure = try outcome.get()
        }
        // The failure was reported when it happened.
        if let failure { throw ExitCode(failure.status.rawValue) }
    }

    private func talk(
        _ caller: some RPCCaller,
        _ stopSignal: StopSignal,
        _ console: Console
    ) async throws -> CommandFailure? {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(0) == 1 && isatty(1) == 1 && environment["TERM"] != "dumb" && !console.isJSON
        let screen: any ChatScreen
        if isTerminal {
            // Libedit interprets characters by the locale of the process.
            if setlocale(LC_CTYPE, "") == nil || nl_langinfo(nl_item(CODESET)).map({ String(cString: $0) }) != "UTF-8" {
                setlocale(LC_CTYPE, "C.UTF-8")
            }
            screen = try TerminalScreen(environment: environment, images)
        } else {
            screen = try PlainScreen(console)
        }
        let session = ChatSession(caller, on: screen, console)
        let outcome = await Self.result { try await session.run(with: who, until: stopSignal) }
        await screen.end()
        return try outcome.get()
    }

    private static func result<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
