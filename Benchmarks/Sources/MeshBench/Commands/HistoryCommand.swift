import ArgumentParser
import ChatHistory
import Earshot
import Foundation

/// The command that measures the history: how fast it is written (compared with plain SQLite and SQLCipher), opened
/// and read.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Measure the speed of writing, opening and reading messages, beside plain SQLite and SQLCipher.",
        discussion: """
            The same rows of 300 B go, one in a transaction, in turns into Earshot's store, a plain SQLite database and one of SQLCipher \
            (Debian: libsqlcipher0), all with synchronous=FULL. In /dev/shm a sync costs nothing, and the processor is measured.
            """
    )

    @Option(help: "Messages in the history that is opened and read.")
    var messages = 1_000_000

    @Option(help: "Rows written into each database, one in a transaction.")
    var inserts = 10_000

    @Option(help: "Pages of 50 that are read, each beside another message.")
    var pages = 1_000

    @Option(help: "The directory for the databases, which are removed afterwards.")
    var directory = NSTemporaryDirectory()

    @Option(help: .hidden)
    var open: String?

    func validate() throws {
        guard messages >= 1_000, inserts >= 100, pages > 0 else {
            throw ValidationError("--messages is at least 1000, --inserts 100, --pages 1.")
        }
    }

    /// The report of this command.
    private struct HistoryReport: Encodable {
        let command: String
        let machine = Machine.current
        let inserts: InsertFigures
        let messages: Int
        /// The messages a second that are sealed and written in batches of 1,000.
        let filledPerSecond: Double
        let diskBytesPerMessage: Double
        let opened: OpenedFigures
    }

    func run() async throws {
        if let open { return try Output.json(OpenedFigures(directory: open, messages: messages, pages: pages)) }
        let folder = URL(filePath: directory).appending(path: "mesh-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let insertFigures = try InsertFigures(folder: folder, count: inserts)
        let large = folder.appending(path: "large").path
        let seconds = try fill(large)
        let child = try BenchProcess(
            ["history", "--open", large, "--messages", "\(messages)", "--pages", "\(pages)"],
            in: .here
        )
        let opened = try await child.figures(OpenedFigures.self, ending: false)
        let size = try FileManager.default.attributesOfItem(atPath: large + "/history.sqlite")[.size] as? Int ?? 0
        try Output.json(
            HistoryReport(
                command: CommandLine.arguments.dropFirst().joined(separator: " "),
                inserts: insertFigures,
                messages: messages,
                filledPerSecond: (Double(messages) / seconds).rounded(),
                diskBytesPerMessage: (Double(size) / Double(messages)).rounded(),
                opened: opened
            )
        )
    }

    /// Writes the large history.
    private func fill(_ directory: String) throws -> Double {
        let rows = SampleRows()
        let begin = ContinuousClock.now
        let database = try SealedDatabase(directory: directory)
        for first in stride(from: 0, to: messages, by: 1_000) {
            let part = (first..<min(first + 1_000, messages)).map { number in
                (name: rows.name(number), sequence: UInt64(number), content: rows.content(number))
            }
            try database.insert(part, in: rows.conversation(first / 1_000))
            if first % 100_000 == 0 { Progress.say("\(first) of \(messages) messages") }
        }
        try database.close()
        return begin.duration(to: .now).seconds
    }
}
