import ArgumentParser
import Earshot
import EarshotRPC

/// Asks a contact to answer, and tells how far away it is.
struct PingCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping",
        abstract: "See whether a contact is there, and how far away.",
        discussion: """
            The contact's node answers by itself, if it talks to you. Hops are links between here and there: 1 for a \
            neighbour. Where no node runs on the home, one is started for as long as it takes.
            """
    )

    /// How long to wait for neighbours after a node was started.
    private static let meetingTime = Duration.seconds(5)
    private static let pause = Duration.seconds(1)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @Argument(help: "A nickname, a peer id or the beginning of one.")
    var who: String

    @Option(help: ArgumentHelp("How often to ask, 1 to 1000, a second apart.", valueName: "N"))
    var count = 4

    func validate() throws {
        guard (1...1_000).contains(count) else { throw ValidationError("--count is between 1 and 1000.") }
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
        var result = PingResult()
        for number in 0..<count {
            if number > 0 { try await Task.sleep(for: Self.pause) }
            do throws(RPCError) {
                result.add(try await caller.call(PingCall(peer: who)))
            } catch {
                guard error.data?.code == PingResult.noAnswer else { throw error }
                result.add(nil)
            }
            if !console.isJSON { console.line(line(of: result)) }
        }
        try console.result(result, result.summary)
        guard result.answered > 0 else {
            throw CommandFailure(.unavailable, "\(DisplayText.safe(who)) does not answer: away, or not talking to you.")
        }
    }

    private func line(of result: PingResult) -> String {
        let name = DisplayText.safe(who)
        guard let answer = result.answers.last ?? nil else { return "\(name): no answer" }
        let hops = answer.hops == 1 ? "1 hop" : "\(answer.hops) hops"
        return "\(name): \(hops), \(TimeText.roundTrip(answer.rtt))"
    }
}

/// What several pings told.
struct PingResult: Encodable, Equatable {
    /// The name of the error that means silence.
    static let noAnswer = "noAnswer"

    /// One answer.
    struct Answer: Encodable, Equatable {
        let hops: Int
        /// Units: seconds.
        let rtt: Double
    }

    /// The id of the peer; nil while it has not answered.
    private(set) var peer: String?
    private(set) var sent = 0
    private(set) var answered = 0
    private(set) var lost = 0
    /// In the order asked; nil where none came.
    private(set) var answers: [Answer?] = []
    /// Units: seconds.
    private(set) var min: Double?
    /// Units: seconds.
    private(set) var avg: Double?
    /// Units: seconds.
    private(set) var max: Double?

    /// Adds an answer, or that none came.
    mutating func add(_ reply: PingCall.Reply?) {
        sent += 1
        answers.append(reply.map { Answer(hops: $0.hops, rtt: $0.rtt) })
        if let reply { peer = reply.peer }
        let times = answers.compactMap { $0?.rtt }
        answered = times.count
        lost = sent - answered
        min = times.min()
        max = times.max()
        avg = times.isEmpty ? nil : times.reduce(0, +) / Double(times.count)
    }

    /// The end of what a person reads.
    var summary: [String] {
        let counts = "\(sent) sent, \(answered) answered, \(lost) lost"
        guard let min, let avg, let max else { return [counts] }
        let times = [min, avg, max].map(TimeText.roundTrip).joined(separator: " / ")
        return [counts, "round trip \(times) (least, average, most)"]
    }
}
