import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// Runs a node.
struct NodeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "Run a node until SIGINT or SIGTERM.",
        discussion: """
            Serves JSON-RPC 2.0 on HOME/rpc.sock. With --stdio it also serves its standard streams: the first line \
            is the event `ready`, and the end of standard input ends the node.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @OptionGroup var media: MediaArguments

    @OptionGroup var delivery: DeliveryArgument

    @OptionGroup(title: "Hubs") var hubs: NodeHubArguments

    @Flag(help: "Serve JSON-RPC on standard input and output too.")
    var stdio = false

    @Flag(help: "Send read receipts.")
    var readReceipts = false

    @Flag(help: "Send typing indicators.")
    var typing = false

    @Option(help: ArgumentHelp("Lock the node after a time without commands, such as 10m.", valueName: "TIME"))
    var autoLock: SpanArgument?

    @Flag(help: "Relay for others and take part in no conversation.")
    var relayOnly = false

    @Option(help: ArgumentHelp("Serve metrics at http://127.0.0.1:PORT/metrics; 0 for any port.", valueName: "PORT"))
    var metrics: UInt16?

    @Option(
        defaultAsFlag: PagePort.usual,
        help: ArgumentHelp(
            "Serve the page too, like `earshot web`; its address goes to standard error.",
            valueName: "PORT"
        )
    )
    var web: PagePort?

    @OptionGroup(title: "Desktop notifications") var notices: NoticeArguments

    func validate() throws {
        guard autoLock.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--auto-lock takes a time above zero.")
        }
        guard !relayOnly || notices.notify == nil else {
            throw ValidationError("A node with --relay-only gets no messages: leave out --notify.")
        }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        let options = try mesh.options(isRelayOnly: relayOnly)
        if autoLock != nil, HomeFacts(lookingAt: home.directory.url).key != .passphrase {
            throw CommandFailure(.badData, "--auto-lock needs a passphrase: run 'earshot passphrase set' first.")
        }
        let node = try await home.open(mesh: options) { settings in
            settings.sendsReadReceipts = readReceipts
            settings.sendsTyping = typing
            settings.delivery = delivery.delivery
            settings.autoLock = autoLock?.duration
            media.apply(to: &settings)
        }
        let desktop = try await notices.notices(of: node, console)
        let outcome = await HomeAccess.outcome { try await run(node, in: home, desktop, console) }
        await desktop?.stop()
        try outcome.get()
    }

    /// Runs the node until it is told to end, and stops it.
    private func run(
        _ node: ChatNode,
        in home: HomeAccess,
        _ desktop: DesktopNotices?,
        _ console: Console
    ) async throws {
        let running = try await RunningNode(node, in: home.directory)
        let hubs = try await connectHubs(of: running, in: home)
        let metricsServer = try await serveMetrics(of: running, console)
        try await servePage(of: running, desktop, console)
        let status = await node.status
        let ready = RPCEvent.ready(id: status.id.description, name: status.name)
        if stdio {
            await serveStreams(of: running, ready)
        } else {
            if !global.quiet { try console.result(ready, greeting(status, home)) }
            await running.stopSignal.wait()
        }
        await metricsServer?.stop()
        await hubs.stop()
        await running.stop()
    }

    /// Connects the node with its hubs; on failure the node is stopped.
    private func connectHubs(of running: RunningNode, in home: HomeAccess) async throws -> NodeHubs {
        do {
            return try await hubs.connect(running.node, in: home.directory)
        } catch {
            await running.stop()
            throw error
        }
    }

    /// Serves the metrics if they are requested; on failure the node is stopped.
    private func serveMetrics(of running: RunningNode, _ console: Console) async throws -> MetricsServer? {
        guard let metrics else { return nil }
        let server = MetricsServer(port: metrics) { [node = running.node] in await node.metrics }
        do {
            let port = try await server.start()
            console.note("Metrics at http://127.0.0.1:\(port)/metrics")
            return server
        } catch {
            await running.stop()
            throw error
        }
    }

    /// Serves the page if it is requested; on failure the node is stopped.
    private func servePage(of running: RunningNode, _ desktop: DesktopNotices?, _ console: Console) async throws {
        guard let web else { return }
        do {
            console.note("Page at \(try await running.page.open(PageCall(port: web.number)).url)")
            await desktop?.open(on: running.page)
        } catch {
            await running.stop()
            throw error
        }
    }

    private func greeting(_ status: NodeStatus, _ home: HomeAccess) -> [String] {
        [
            "\(DisplayText.safe(status.name)) is on the air\(relayOnly ? " as a relay" : "").",
            "Fingerprint \(status.fingerprint). Data directory \(home.directory.url.path). Ctrl-C ends.",
        ]
    }

    private func serveStreams(of running: RunningNode, _ ready: RPCEvent) async {
        guard let streams = try? DescriptorConnection(input: 0, output: 1, ownsDescriptors: false) else { return }
        let stopSignal = running.stopSignal
        let serving = Task {
            if let line = RPCDispatcher.line(ready) { try? await streams.write(line) }
            let session = RPCSession(
                node: running.node,
                sink: streams,
                openPage: { call throws(RPCError) in try await running.page.open(call) },
                endPage: { await running.page.endSessions() },
                onShutdown: { stopSignal.fire() }
            )
            await session.serve(streams.chunks)
            stopSignal.fire()
        }
        await stopSignal.wait()
        streams.cancel()
        await serving.value
    }
}
