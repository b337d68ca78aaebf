import ArgumentParser
import Earshot
import EarshotRPC

/// Pings a contact, and shows how far away it is.
struct PingCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping",
        abstract: "Test whether a contact answers, and measure the distance.",
        discussion: """
            The contact's node answers by itself, if the contact has accepted you. Hops are the links between you: 1 \
            for a neighbour. This command runs a node if none runs in the data directory.

            With --live, question and answer travel like speech: each link carries them once, and a lost packet \
            stays lost. The loss and the times show whether a live conversation is possible. The first question, \
            which finds the path, travels like any other and does not count.
            """
    )

    /// The longest wait for neighbours after a node was started.
    private static let meetingTime = Duration.seconds(5)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The number of questions, 1 to 1000. Default: 4, or 50 with --live.", valueName: "N")
    )
    var count: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The time between two questions, 0.02 to 60. Default: 1, or 0.1 with --live.",
            valueName: "SECONDS"
        )
    )
    var interval: Double?

    @Flag(help: "Send question and answer once on each link, whether they arrive or not.")
    var live = false

    private var pause: Duration { .seconds(interval ?? (live ? 0.1 : 1)) }

    func validate() throws {
        guard (1...1_000).contains(count ?? 1) else { throw ValidationError("--count is between 1 and 1000.") }
        guard (0.02...60).contains(interval ?? 1) else { throw ValidationError("--interval is between 0.02 and 60.") }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        if let client = try await home.directory.connect() {
            let outcome = await HomeAccess.outcome { try await ping(by: client, console) }
            await client.close()
            return try outcome.get()
        }
        let node = try await home.open(mesh: try mesh.options())
        let caller = LocalCaller(node: node)
        let outcome = await HomeAccess.outcome {
            let links = try await caller.events(["link.up"])
            try await node.start()
            _ = try await within(Self.meetingTime) { await links.first { _ in true } }
            try await ping(by: caller, console)
        }
        await node.stop()
        try outcome.get()
    }

    private func ping(by caller: some RPCCaller, _ console: Console) async throws {
        let result = try await live ? liveResult(by: caller, console) : result(by: caller, console)
        try console.result(result, result.summary)
        guard result.answered > 0 else {
            throw CommandFailure(
                .unavailable,
                "\(DisplayText.safe(who)) does not answer. They are offline, or have not accepted you."
            )
        }
    }

    /// Sends each ping once the one before has an answer or has failed.
    private func result(by caller: some RPCCaller, _ console: Console) async throws -> PingResult {
        var result = PingResult()
        for number in 0..<(count ?? 4) {
            if number > 0 { try await Task.sleep(for: pause) }
            try await Self.ask(who, by: caller, live: false, at: result.begin()).note(in: &result)
            show(result.answers[number], console)
        }
        return result
    }

    /// Sends the pings at fixed times, without waiting for the answers.
    private func liveResult(by caller: some RPCCaller, _ console: Console) async throws -> PingResult {
        var result = PingResult()
        guard try await Self.ask(who, by: caller, live: false, at: 0).reply != nil else {
            _ = result.begin()
            return result
        }
        try await withThrowingTaskGroup(of: Outcome.self) { outcomes in
            let (who, pause, start) = (who, pause, ContinuousClock.now)
            for number in 0..<(count ?? 50) {
                let place = result.begin()
                outcomes.addTask {
                    try await Task.sleep(until: start.advanced(by: pause * number), clock: .continuous)
                    return try await Self.ask(who, by: caller, live: true, at: place)
                }
            }
            for try await outcome in outcomes {
                outcome.note(in: &result)
                show(result.answers[outcome.place], console)
            }
        }
        return result
    }

    /// The outcome of one ping.
    private struct Outcome: Sendable {
        let place: Int
        let reply: PingCall.Reply?

        func note(in result: inout PingResult) {
            if let reply { result.note(reply, at: place) }
        }
    }

    private static func ask(
        _ who: String,
        by caller: some RPCCaller,
        live: Bool,
        at place: Int
    ) async throws -> Outcome {
        do throws(RPCError) {
            return Outcome(place: place, reply: try await caller.call(PingCall(peer: who, live: live ? true : nil)))
        } catch {
            guard error.data?.code == PingResult.noAnswer else { throw error }
            return Outcome(place: place, reply: nil)
        }
    }

    private func show(_ answer: PingResult.Answer?, _ console: Console) {
        guard !console.isJSON else { return }
        let name = DisplayText.safe(who)
        guard let answer else { return console.line("\(name): no answer") }
        let hops = answer.hops == 1 ? "1 hop" : "\(answer.hops) hops"
        console.line("\(name): \(hops), \(TimeText.roundTrip(answer.rtt))")
    }
}
