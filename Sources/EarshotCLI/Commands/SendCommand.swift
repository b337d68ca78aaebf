import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Sends a text, files, pictures and voice notes.
struct SendCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a text, files, pictures or voice notes.",
        discussion: """
            This command runs a node if none runs in the data directory: until --wait is reached, or without --wait \
            until another node carries the message or 5 seconds have passed. Messages that have not arrived wait in \
            the outbox, and leave as soon as a node runs in the data directory again.

            A file has at most 4 GiB. A file of more than 256 KiB travels only while sender and recipient are within \
            reach of each other, and continues when they meet again. The command waits until such a file is \
            delivered, or has not progressed for the --timeout.

            Earshot strips metadata from an --image and a --voice: places, cameras, names, dates, previews and \
            comments. It refuses a file that it cannot clean, and says what to do instead. A --file is sent \
            unchanged.

            Other users of the machine can read arguments. `-` takes the text from standard input, and --text-file \
            takes it from a file. Without text and attachment, the command reads standard input unless that is a \
            terminal.
            """
    )

    /// The delivery state that ends the command.
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case sent, delivered, read
    }

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @OptionGroup var confirmation: Confirmation

    @Argument(
        help: """
            A nickname, a peer id or the beginning of one; group:TITLE for a group, room:TITLE for a room; or the link \
            that `earshot identity --far` shows.
            """
    )
    var who: String

    @Argument(help: "The text, or - for standard input; optional with an attachment.")
    var text: String?

    @OptionGroup var textFile: TextFileArguments

    @OptionGroup var attached: AttachmentArguments

    @Option(help: ArgumentHelp("The id of the message that this one answers.", valueName: "MESSAGE"))
    var replyTo: String?

    @Option(name: .customLong("mention"), help: "The mentioned person, if two people have the name after an @.")
    var mentions: [String] = []

    @Option(help: "The time after which a read message disappears, such as 30s, 5m or 24h; 0s for never.")
    var expiresAfter: SpanArgument?

    @Option(help: "The status to wait for.")
    var wait: Goal?

    @Option(help: "The longest time to wait, for attachments without progress, such as 500ms, 30s, 2m or 1h.")
    var timeout = SpanArgument(.seconds(30))

    func validate() throws {
        guard text == nil || textFile.file == nil else { throw ValidationError("Give either a text or a --text-file.") }
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
            console.note(
                "\(name) is sent unchanged and may contain place, time and camera. Use --image to remove them."
            )
        }
        let home = HomeAccess(global, console)
        try await LinkHubs(of: who).join(in: home.directory, confirmation)
        if let client = try await home.directory.connect() {
            let goal = hasLargeFile ? "delivered" : "queued"
            let delivery = makeDelivery(text, wait?.rawValue ?? goal, client, console)
            let outcome = await HomeAccess.outcome {
                let result = try await delivery.run(within: timeout.duration)
                await reportCut(of: result.output.message, client, console)
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
        await reportCut(of: result.output.message, caller, console)
        try await report(result, through: nil, console)
    }

    /// Reports a recording of which only the beginning was sent.
    private func reportCut(of message: String, _ caller: any RPCCaller, _ console: Console) async {
        guard !attached.voices.isEmpty, let page = try? await caller.call(HistoryCall(conversation: who)),
            let files = page.last(where: { $0.id == message })?.files
        else { return }
        if files.contains(where: { $0.cut == true }) {
            console.note("The recording is too long for a voice note. Only its first minute is sent.")
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
        var place = "it waits in the outbox and leaves as soon as a node runs in this data directory"
        if let running {
            place = "it waits here and is sent by itself while your node runs"
            if wait != .sent, result.output.status == "carried", let text = await waiting(running) {
                throw CommandFailure(.notInTime, text)
            }
        }
        let way = hasLargeFile ? " Files of more than 256 KiB travel only while both of you are in reach." : ""
        if let wait {
            throw CommandFailure(.notInTime, "The message is not \(wait.rawValue) yet; \(place).\(way)")
        }
        guard !hasLargeFile else { return console.note("Not all of it has arrived yet; \(place).\(way)") }
        guard result.output.status != "carried" else { return }
        console.note("No other node carries the message yet; \(place).")
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
            The message is on its way. \(name)'s node sends no receipts to people who are not accepted. Ask \(name) \
            to accept you, for example by `earshot trust accept \(DisplayText.safe(own))`.
            """
    }

    private func sentence(_ result: Delivery.Outcome, _ console: Console) -> String {
        let colour: Console.Colour = result.isReached ? .green : .yellow
        let isSampled = result.output.sampled == true && ["delivered", "read"].contains(result.output.status)
        let status = result.output.status + (isSampled ? " (sampled)" : "")
        return "\(console.coloured(status, colour))  \(result.output.message)"
    }
}
