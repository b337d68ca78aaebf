import ArgumentParser
import Earshot
import EarshotRPC
import EarshotWeb
import Foundation

/// Serves the page to a browser on this machine.
struct WebCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Use Earshot in a browser on this machine.",
        discussion: """
            Prints an address that opens the page in one tab of a browser, once and within ten minutes. Run the \
            command again for another tab. The tab stays open until the node ends, for 30 days at most, and until \
            nothing is heard from it for 12 hours. --end ends all tabs, and so does `lock`. The page is served on \
            127.0.0.1 only. If a node runs in the data directory, it serves the page and continues after this \
            command; otherwise this command runs a node until SIGINT or SIGTERM. Keep the address to yourself until \
            it is used.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var place: MeshPlace

    @OptionGroup var media: MediaArguments

    @OptionGroup(title: "Hubs") var hubs: NodeHubArguments

    @Option(
        help: ArgumentHelp(
            "The TCP port of the page; 0 for any. Default: \(WebLimits.usualPort) if it is free, else any.",
            valueName: "N"
        )
    )
    var port: UInt16?

    @Option(help: ArgumentHelp("The UDP port for the --peer option of others. Default: any.", valueName: "N"))
    var meshPort: UInt16 = 0

    @Flag(help: "Open the page in your browser, by xdg-open.")
    var open = false

    @Flag(help: "End all sessions of the page of the running node.")
    var end = false

    func validate() throws {
        guard !end || (!open && port == nil) else {
            throw ValidationError("--end goes without --open and --port.")
        }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        guard !end else {
            return try await home.withRunningNode { caller in
                try console.result(try await caller.call(EndPageCall()), ["All sessions of the page have ended."])
            }
        }
        let call = PageCall(port: port)
        if let client = try await home.directory.connect() {
            let outcome = await HomeAccess.outcome {
                try show(try await client.call(call), home, console)
                await reportIfUnused(home, console)
            }
            await client.close()
            return try outcome.get()
        }
        let options = try place.options(port: meshPort)
        let node = try await home.open(mesh: options) { media.apply(to: &$0) }
        let running = try await RunningNode(node, in: home.directory)
        let outcome = await HomeAccess.outcome { try await serve(running, call, home, console) }
        await running.stop()
        try outcome.get()
    }

    /// Connects the node with its hubs, and serves the page until the node is to stop.
    private func serve(
        _ running: RunningNode,
        _ call: PageCall,
        _ home: HomeAccess,
        _ console: Console
    ) async throws {
        let hubs = try await hubs.connect(running.node, in: home.directory)
        let outcome = await HomeAccess.outcome {
            try show(try await running.page.open(call), home, console)
            console.note("Ctrl-C ends.")
            let telling = Task { await reportIfUnused(home, console) }
            await running.stopSignal.wait()
            telling.cancel()
        }
        await hubs.stop()
        try outcome.get()
    }

    /// Reports that the browser was started but has not opened the page.
    private func reportIfUnused(_ home: HomeAccess, _ console: Console) async {
        guard open, await !AddressFile(in: home.directory).isUsed(within: Self.browserTime), !Task.isCancelled else {
            return
        }
        console.complain("No browser has opened the page yet; open the address yourself.")
    }

    /// The longest time for a browser to open the page.
    private static let browserTime = Duration.seconds(10)

    private func show(_ reply: PageCall.Reply, _ home: HomeAccess, _ console: Console) throws {
        try console.result(reply, [reply.url])
        guard open else { return }
        do {
            try AddressFile(in: home.directory).open(reply.url)
        } catch {
            console.complain("No browser can be started; open the address yourself. \(error)")
        }
    }
}
