import ArgumentParser
import Earshot

/// Serves a node for people who write another implementation of the protocol.
struct ConformanceCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Serve a node for testing another implementation of the protocol.",
        discussion: """
            Runs a node with an identity that everybody knows, in a temporary data directory. It accepts everyone, \
            answers each text with a text, joins each group and has a room. It prints each step that the other \
            implementation takes for the first time, and all input that it refuses, with the reason. It ends with \
            status 0 when all steps were taken, and with 1 at SIGINT or SIGTERM before that. Without --interface it \
            uses the loopback interface only.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    func perform(_ console: Console) async throws {
        var options = try mesh.options()
        if options.interfaces.isEmpty { options.interfaces = ["lo"] }
        let stopSignal = StopSignal()
        let served = try await ConformanceNode(options)
        for line in served.introduction { console.line(line) }
        console.note("Ready; Ctrl-C ends.")
        let running = Task { await served.run { line in Self.print(line, console) } }
        let waiting = Task {
            await stopSignal.wait()
            running.cancel()
        }
        let missing = await running.value
        waiting.cancel()
        await served.stop()
        guard !missing.isEmpty else { return console.line("All steps were taken.") }
        let titles = missing.map { "\n  \($0.title)" }.joined()
        throw CommandFailure(.failed, "These steps were not taken:\(titles)")
    }

    private static func print(_ line: ConformanceReport.Line, _ console: Console) {
        let mark = line.step == nil ? console.coloured("✗ refused", .red) : console.coloured("✓", .green)
        let count = line.count.map { " (\($0))" } ?? ""
        // Nobody reads any more.
        try? console.result(line, ["\(mark) \(line.words)\(count)"])
    }
}
