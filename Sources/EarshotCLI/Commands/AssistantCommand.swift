import ArgumentParser
import Earshot
import EarshotAssistant
import EarshotRPC
import Foundation

/// Runs an assistant: lets contacts ask a language model of this machine.
struct AssistantCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "assistant",
        abstract: "Let contacts ask a language model.",
        discussion: """
            Runs a node that answers messages with a language model: LM Studio, llama.cpp, Ollama, vLLM or any other \
            server with the interface of OpenAI. Give it a --home of its own, made by `earshot init --name`. Other \
            commands on that --home control it, such as `verify`: by default the assistant answers verified contacts \
            only. In a group it answers messages that mention it. In a room nobody is a contact: there it answers \
            messages that mention it if the room is entered by a code and --allow code is given, and rejects all \
            others. The person who asks in a group or room sees the answer grow, and so do up to seven other \
            members. The endpoint is the only address that the assistant connects to, without a proxy. People can \
            type /stop to end an answer and /forget to delete what was said; the next message ends an answer too. \
            Decisions and problems go to standard error. --check asks the model once and prints the result.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @Option(
        help: ArgumentHelp("The address of the model's server, such as http://localhost:1234/v1.", valueName: "URL")
    )
    var endpoint: String

    @Option(help: ArgumentHelp("The name of the model on its server.", valueName: "NAME"))
    var model: String

    @Option(help: ArgumentHelp("The file with the system prompt of every conversation.", valueName: "F"))
    var systemPromptFile: String?

    @Option(
        help: ArgumentHelp(
            """
            People that the assistant answers: verified (the default), contacts, WHO alone, or code. With code it \
            answers contacts, people who send the code, who become contacts, and everybody in rooms that are entered \
            by a code. May be given several times.
            """,
            valueName: "WHOM"
        )
    )
    var allow: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the code. Default: a new code, which is printed.",
            valueName: "F"
        )
    )
    var codeFile: String?

    @Option(help: ArgumentHelp("The part of a conversation that the model gets, in tokens of 3 bytes.", valueName: "N"))
    var contextTokens = 4_096

    @Option(
        help: ArgumentHelp(
            "Questions that one peer may ask, such as 6/min, 1/s or 20/h. Default: 6/min.",
            valueName: "RATE"
        )
    )
    var rate = RateArgument(AnswerRate(6, in: .seconds(60)))

    @Option(help: ArgumentHelp("Answers at the same time; 8 more questions can wait.", valueName: "N"))
    var concurrent = 2

    @Option(help: ArgumentHelp("The longest time for an answer, such as 5m.", valueName: "TIME"))
    var answerTimeout = SpanArgument(.seconds(300))

    @Flag(
        help:
            """
            Show the model the pictures of a message, up to 4 MiB together, if it supports them. Without it pictures \
            are refused.
            """
    )
    var vision = false

    @Flag(help: "Erase a peer's messages once the peer is out of reach for 30 s, and when this command ends.")
    var forgetOnDisconnect = false

    @Option(help: ArgumentHelp("The file whose first line is the API key of the model's server.", valueName: "F"))
    var apiKeyFile: String?

    @Flag(help: "Send the key by http, although others may read it on the way.")
    var insecure = false

    @Flag(help: "Ask the model once, print the result, and end.")
    var check = false

    func validate() throws {
        guard (256...1_000_000).contains(contextTokens) else {
            throw ValidationError("--context-tokens takes 256 to 1000000.")
        }
        guard (1...64).contains(concurrent) else { throw ValidationError("--concurrent takes 1 to 64.") }
        guard answerTimeout.duration > .zero else { throw ValidationError("--answer-timeout takes a time above zero.") }
        guard codeFile == nil || allow.contains("code") else {
            throw ValidationError("--code-file needs --allow code.")
        }
    }

    func perform(_ console: Console) async throws {
        let place: ModelEndpoint
        do {
            place = try ModelEndpoint(endpoint, model: model, key: try apiKeyFile.map(Self.firstLine))
        } catch let refusal as ModelEndpoint.Refusal {
            throw CommandFailure(.badData, refusal.description)
        }
        if place.isExposed {
            guard apiKeyFile == nil || insecure else {
                let reason = "\(endpoint) would send the key in clear: use https, or --insecure."
                throw CommandFailure(.badData, reason)
            }
            console.complain("Questions and answers go to \(endpoint) in clear: others on the way can read them.")
        }
        // libcurl reads these variables, whatever its options say.
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] { unsetenv(name) }
        // libcurl would write the keys of its TLS connections to the model server into this file.
        unsetenv("SSLKEYLOGFILE")
        if check { return try await show(EndpointReport(place, within: answerTimeout.duration), console) }
        let home = HomeAccess(global, console)
        if let client = try await home.directory.connect() {
            await client.close()
            throw CommandFailure(
                .refused,
                "A node already runs in this data directory. Give the assistant a --home of its own."
            )
        }
        let node = try await home.open(mesh: try mesh.options())
        let assistant: Assistant
        do {
            assistant = try Assistant(node, endpoint: place, settings: try await settings(node, console)) { line in
                console.note("assistant: \(line)")
            }
        } catch {
            await node.stop()
            throw error
        }
        let running = try await RunningNode(node, in: home.directory)
        let status = await node.status
        console.note("\(DisplayText.safe(status.name)) answers. Fingerprint \(status.fingerprint). Ctrl-C ends.")
        let answering = Task {
            await assistant.run()
            running.stopSignal.fire()
        }
        await running.stopSignal.wait()
        answering.cancel()
        await answering.value
        await running.stop()
    }

    private func settings(_ node: ChatNode, _ console: Console) async throws -> AssistantSettings {
        var settings = AssistantSettings()
        settings.access = try await rule(node, console)
        settings.instruction = try systemPromptFile.map(Self.text)
        settings.seesPictures = vision
        settings.contextTokenCount = contextTokens
        settings.rate = rate.rate
        settings.concurrentCount = concurrent
        settings.answerTimeout = answerTimeout.duration
        settings.forgetsOnDisconnect = forgetOnDisconnect
        return settings
    }

    /// Makes the access policy; a name in it stands for the contact that has the name now.
    private func rule(_ node: ChatNode, _ console: Console) async throws -> AccessRule {
        var listed: Set<PeerID> = []
        for who in allow where !["verified", "contacts", "code"].contains(who) {
            if let peer = PeerID(hex: who) {
                listed.insert(peer)
                continue
            }
            let contact = try await node.contacts.named(who)
            guard [.tofu, .verified].contains(contact.trust) else {
                throw CommandFailure(
                    .refused,
                    "'\(who)' is the name of an unknown peer: give the whole peer id instead."
                )
            }
            listed.insert(contact.id)
        }
        let code = try allow.contains("code") ? codeFile.map(Passphrase.read) ?? Self.newCode() : nil
        let rule = AccessRule(
            verified: allow.isEmpty || allow.contains("verified"),
            contacts: allow.contains("contacts"),
            listed: listed,
            code: code
        )
        guard rule.code == code else { throw CommandFailure(.badData, "A code has at least 8 characters.") }
        if let code, codeFile == nil {
            // Nobody could use the code otherwise.
            if console.isQuiet { console.line("The code is \(code).") } else { console.note("The code is \(code).") }
        }
        return rule
    }

    /// Makes a code of ten letters and digits that are not mistaken for one another.
    private static func newCode() -> String {
        let signs = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String((0..<10).compactMap { _ in signs.randomElement() })
    }

    private static func text(_ file: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: file), let text = String(data: data, encoding: .utf8),
            !text.isEmpty
        else { throw CommandFailure(.badData, "The file \(file) cannot be read as text, or is empty.") }
        return text
    }

    private static func firstLine(_ file: String) throws -> String { String(try text(file).prefix { !$0.isNewline }) }

    private func show(_ report: EndpointReport, _ console: Console) async throws {
        struct Reply: Encodable {
            var models: [String]
            var firstTokenSeconds: Double?
            var tokensPerSecond: Double?
            var problems: [String]
        }
        let reply = Reply(
            models: report.models,
            firstTokenSeconds: report.firstTokenAfter.map(\.fractionalSeconds),
            tokensPerSecond: report.tokensPerSecond,
            problems: report.problems
        )
        var lines =
            report.models.isEmpty
            ? [] : ["Models: \(report.models.map { DisplayText.safe($0) }.joined(separator: ", "))"]
        if let time = report.firstTokenAfter { lines.append("First token after \(TimeText.span(time)).") }
        if let speed = report.tokensPerSecond { lines.append(String(format: "%.1f tokens a second.", speed)) }
        try console.result(reply, lines + report.problems)
        if !report.problems.isEmpty { throw ExitCode(ExitStatus.unavailable.rawValue) }
    }
}

/// A rate as an option: 6/min.
struct RateArgument: ExpressibleByArgument {
    let rate: AnswerRate

    init(_ rate: AnswerRate) {
        self.rate = rate
    }

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let spans = ["s": Duration.seconds(1), "min": .seconds(60), "m": .seconds(60), "h": .seconds(3_600)]
        guard parts.count == 2, let count = Int(parts[0]), (1...100_000).contains(count),
            let span = spans[String(parts[1])]
        else { return nil }
        rate = AnswerRate(count, in: span)
    }

    var defaultValueDescription: String { "6/min" }
}
