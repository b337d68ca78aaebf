import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Sends a text and files.
struct SendCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a text, files or both.",
        discussion: """
            Where no node runs on the home, one is started for as long as it takes: until --wait is reached, without \
            --wait until a neighbour carries the message or 5 seconds have passed. What has not arrived waits in the \
            outbox and leaves as soon as a node runs on the home again.

            A file has at most 4 GiB. One of more than 256 KiB travels while sender and recipient are within reach of \
            each other, and goes on where it was when they are again; for it the command waits until it is delivered, \
            or has not moved for the --timeout.
            """
    )

    /// How far a message is to come before the command ends.
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case sent, delivered, read
    }

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE for a group.")
    var who: String

    @Argument(help: "The text; it may be left out if there is a --file.")
    var text: String?

    @Option(name: .customLong("file"), help: "A file to go with it; may be given several times.")
    var files: [String] = []

    @Option(help: "End when the message has come so far.")
    var wait: Goal?

    @Option(help: "The longest to wait, for files: without any coming further; as 500ms, 30s, 2m or 1h.")
    var timeout = SpanArgument(.seconds(30))

    func validate() throws {
        guard text != nil || !files.isEmpty else { throw ValidationError("Give a text or a --file.") }
    }

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        if let client = try await home.directory.connect() {
            let goal = hasLargeFile ? "delivered" : "queued"
            let delivery = makeDelivery(wait?.rawValue ?? goal, client, console)
            let outcome = await HomeAccess.outcome {
                try report(try await delivery.run(within: timeout.duration), console)
            }
            await client.close()
            return try outcome.get()
        }
        let node = try await home.open(mesh: try mesh.options())
        let outcome = await HomeAccess.outcome {
            try await node.start()
            try await sendFromOwnNode(LocalCaller(node: node), console)
        }
        await node.stop()
        try outcome.get()
    }

    private var paths: [String] { files.map { URL(filePath: $0).absoluteURL.path } }

    private func makeDelivery(_ goal: String, _ caller: any RPCCaller, _ console: Console) -> Delivery {
        var delivery = Delivery(text: text ?? "", files: paths, to: who, goal: goal, caller: caller)
        let names = paths.map { DisplayText.safe(URL(filePath: $0).lastPathComponent) }
        delivery.show = { progress in
            console.progress(progress.line(names.indices.contains(progress.index) ? names[progress.index] : "text"))
            if console.isJSON { try? console.result(progress.event, []) }
        }
        return delivery
    }

    /// Whether a file is too large for others to keep it for a recipient who is away.
    private var hasLargeFile: Bool {
        paths.contains { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.size] as? UInt64 ?? 0 > ChatLimits.smallBlobByteCount
        }
    }

    private func sendFromOwnNode(_ caller: LocalCaller, _ console: Console) async throws {
        // A neighbour that has taken the message may not have taken its files yet; a recipient confirms both.
        let goal = files.isEmpty ? "carried" : "delivered"
        var delivery = makeDelivery(wait?.rawValue ?? goal, caller, console)
        delivery.meetsFirst = true
        let isPatient = wait != nil || hasLargeFile
        let limit = isPatient ? timeout.duration : min(timeout.duration, .seconds(5))
        try report(try await delivery.run(within: limit, meetingWithin: timeout.duration), console)
    }

    private func report(_ result: Delivery.Outcome, _ console: Console) throws {
        console.endProgress()
        try console.result(result.output, [sentence(result, console)])
        if let failure = result.output.reason {
            let isRefused = failure == "refusedByTrust"
            throw CommandFailure(isRefused ? .refused : .notInTime, "The message will not arrive: \(failure).")
        }
        guard !result.isReached else { return }
        let place = "it waits in the outbox and goes on as soon as a node runs on this home"
        if let wait {
            throw CommandFailure(.notInTime, "The message is not \(wait.rawValue) yet; \(place).")
        }
        guard !hasLargeFile else { return console.note("Not all of it is there yet; \(place).") }
        guard result.output.status != "carried" else { return }
        console.note("Nobody has taken the message yet; \(place).")
    }

    private func sentence(_ result: Delivery.Outcome, _ console: Console) -> String {
        let colour: Console.Colour = result.isReached ? .green : .yellow
        return "\(console.coloured(result.output.status, colour))  \(result.output.message)"
    }
}
