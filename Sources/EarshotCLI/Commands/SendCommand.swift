import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Sends a text, files, pictures and voice notes.
struct SendCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a text, files, pictures or voice notes.",
        discussion: """
            Where no node runs on the home, one is started for as long as it takes: until --wait is reached, without \
            --wait until a neighbour carries the message or 5 seconds have passed. What has not arrived waits in the \
            outbox and leaves as soon as a node runs on the home again.

            A file has at most 4 GiB. One of more than 256 KiB travels while sender and recipient are within reach of \
            each other, and goes on where it was when they are again; for it the command waits until it is delivered, \
            or has not moved for the --timeout.

            An --image and a --voice are cleaned before they go: places, cameras, names, dates, previews and comments are \
            removed, and what cannot be cleaned is refused with what to do instead. A --file goes as it is.

            Other users of the machine can read arguments. `-` takes the text from standard input and --text-file takes \
            it from a file; without text and attachment, standard input is read where it is no terminal.
            """
    )

    /// The delivery state that ends the command.
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case sent, delivered, read
    }

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @Argument(help: "A nickname, a peer id or the beginning of one; group:TITLE for a group, room:TITLE for a room.")
    var who: String

    @Argument(help: "The text, or - for standard input; it may be left out if something goes with it.")
    var text: String?

    @OptionGroup var textFile: TextFileArguments

    @OptionGroup var attached: AttachmentArguments

    @Option(help: ArgumentHelp("The id of the message that this one answers.", valueName: "MESSAGE"))
    var replyTo: String?

    @Option(name: .customLong("mention"), help: "Whom the text means, where two have the name after an @.")
    var mentions: [String] = []

    @Option(help: "Let the message go so long after it was read, as 30s, 5m or 24h; 0s for never.")
    var expiresAfter: SpanArgument?

    @Option(help: "End when the message has come so far.")
    var wait: Goal?

    @Option(help: "The longest to wait, for files: without any coming further; as 500ms, 30s, 2m or 1h.")
    var timeout = SpanArgument(.seconds(30))

    func validate() throws {
        guard text == nil || textFile.file == nil else { throw ValidationError("Either a text or a --text-file.") }
        guard text != nil || textFile.file != nil || !attached.attachments.isEmpty || isatty(0) == 0 else {
            throw ValidationError("Give a text, a --text-file, a --file, an --image or a --voice.")
        }
    }

    func perform(_ console: Console) async throws {
        let hasAttachment = !attached.attachments.isEmpty
        let text = try TypedText.given(text, file: textFile.file, takesInput: !hasAttachment)
        guard text != nil || hasAttachment else {
            throw CommandFailure(.usage, "Give a text, a --text-file, a --file, an --image or a --voice.")
        }
        for name in attached.attachments.unclean {
            console.note("\(name) goes as it is, with what it tells of place, time and camera; --image removes that.")
        }
        let home = HomeAccess(global, console)
        if let client = try await home.directory.connect() {
            let goal = hasLargeFile ? "delivered" : "queued"
            let delivery = makeDelivery(text, wait?.rawValue ?? goal, client, console)
            let outcome = await HomeAccess.outcome {
                let result = try await delivery.run(within: timeout.duration)
                await tellCut(of: result.output.message, client, console)
                try await report(result, through: client, console)
            }
            await client.close()
            return try outcome.get()
        }
        let node = try await home.open(mesh: try mesh.options())
        let outcome = await HomeAccess.outcome {
            try await node.start()
            try await sendFromOwnNode(text, LocalCaller(node: node), console)
        }
        await node.stop()
        try outcome.get()
    }

    private func makeDelivery(
        _ text: String?,
        _ goal: String,
        _ caller: any RPCCaller,
        _ console: Console
    ) -> Delivery {
        let files = attached.attachments
        var delivery = Delivery(text: text ?? "", files: files, to: who, goal: goal, caller: caller)
        delivery.options.replyTo = replyTo
        delivery.options.mentions = mentions
        delivery.options.expiresAfter = expiresAfter.map { $0.duration.fractionalSeconds }
        let names = files.names
        delivery.show = { progress in
            console.progress(progress.line(names.indices.contains(progress.index) ? names[progress.index] : "text"))
            if console.isJSON { try? console.result(progress.event, []) }
        }
        return delivery
    }

    private var hasLargeFile: Bool { attached.attachments.hasLargeFile }

    private func sendFromOwnNode(_ text: String?, _ caller: LocalCaller, _ console: Console) async throws {
        // A neighbour that stores the message may not have its files yet; a recipient confirms both.
        let goal = attached.attachments.isEmpty ? "carried" : "delivered"
        var delivery = makeDelivery(text, wait?.rawValue ?? goal, caller, console)
        delivery.meetsFirst = true
        let isPatient = wait != nil || hasLargeFile
        let limit = isPatient ? timeout.duration : min(timeout.duration, .seconds(5))
        let result = try await delivery.run(within: limit, meetingWithin: timeout.duration)
        await tellCut(of: result.output.message, caller, console)
        try await report(result, through: nil, console)
    }

    /// Reports a recording of which only the beginning was sent.
    private func tellCut(of message: String, _ caller: any RPCCaller, _ console: Console) async {
        guard !attached.voices.isEmpty, let page = try? await caller.call(HistoryCall(conversation: who)),
            let files = page.last(where: { $0.id == message })?.files
        else { return }
        if files.contains(where: { $0.cut == true }) {
            console.note("The recording is longer than a voice note may be: its first minute goes.")
        }
    }

    /// Reports the state of the message and, if it is not the requested one, what the message waits for.
    ///
    /// - Parameter running: The node that runs on the home and continues the delivery; nil if none runs.
    private func report(
        _ result: Delivery.Outcome,
        through running: (any RPCCaller)?,
        _ console: Console
    ) async throws {
        console.endProgress()
        try console.result(result.output, [sentence(result, console)])
        if let failure = result.output.reason {
            let isRefused = failure == "refusedByTrust"
            throw CommandFailure(isRefused ? .refused : .notInTime, "The message will not arrive: \(failure).")
        }
        guard !result.isReached else { return }
        var place = "it waits in the outbox and goes on as soon as a node runs on this home"
        if let running {
            place = "it waits here and goes on by itself while your node runs"
            if wait != .sent, result.output.status == "carried", let text = await waiting(running) {
                throw CommandFailure(.notInTime, text)
            }
        }
        if let wait {
            throw CommandFailure(.notInTime, "The message is not \(wait.rawValue) yet; \(place).")
        }
        guard !hasLargeFile else { return console.note("Not all of it is there yet; \(place).") }
        guard result.output.status != "carried" else { return }
        console.note("Nobody has taken the message yet; \(place).")
    }

    /// Returns advice for a message to a contact that never acknowledged anything; nil in all other cases.
    private func waiting(_ caller: any RPCCaller) async -> String? {
        guard let page = try? await caller.call(HistoryCall(conversation: who)), let last = page.last,
            page.count < RPCLimits.historyPageDefault,
            !page.contains(where: { !$0.outgoing || $0.status == "delivered" || $0.status == "read" }),
            let contact = try? await caller.call(ContactsCall()).first(where: { $0.id == last.conversation }),
            let own = try? await caller.call(StatusCall()).name
        else { return nil }
        let name = DisplayText.safe(contact.name)
        return """
            The message is on its way. \(name)'s node acknowledges nothing to strangers: \(name) must accept you \
            first, e.g. by `earshot trust accept \(DisplayText.safe(own))`.
            """
    }

    private func sentence(_ result: Delivery.Outcome, _ console: Console) -> String {
        let colour: Console.Colour = result.isReached ? .green : .yellow
        return "\(console.coloured(result.output.status, colour))  \(result.output.message)"
    }
}
