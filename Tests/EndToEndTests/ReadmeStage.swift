import Foundation
import Testing

/// The data directories of Alice, Bob and Carol, all clean; Alice's host has a cable to the one of the other two.
///
/// Alice uses the command without any option that the README does not have.
struct ReadmeStage: Sendable {
    let folder: TemporaryFolder
    let pair: SegmentPair
    let browser: StandInBrowser
    /// The folder in which Alice types her commands.
    let files: URL

    /// Makes the stage; nil where the system forbids namespaces.
    init?() throws {
        guard let pair = try SegmentPair() else { return nil }
        self.pair = pair
        folder = try TemporaryFolder()
        browser = try StandInBrowser()
        files = folder.url.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let photo = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors/plain.jpg")
        try FileManager.default.copyItem(at: photo.standardized, to: files.appending(path: "photo.jpg"))
        let silence = folder.url.appending(path: "silence.raw").path
        try Data(count: 16_000).write(to: URL(filePath: silence))
        let note = files.appending(path: "note.opus").path
        let options = ["--quiet", "--raw", "--raw-rate", "8000", "--raw-chan", "1"]
        let made = try Command.run(["opusenc"] + options + [silence, note])
        try #require(made.status == 0, "opusenc: Scripts/bootstrap installs it")
    }

    /// Returns the words that run a line of a shell as one of the three users.
    ///
    /// - Parameter stays: Whether the line is one `earshot` that runs until it is ended. It takes the place of the shell,
    ///   so that the signal reaches it.
    func words(_ line: String, as user: String = "Alice", stays: Bool = false) -> [String] {
        let host = user == "Alice" ? "near" : "far"
        let variables = [
            "HOME": home(user).path, "EARSHOT_HOME": "", "XDG_DATA_HOME": "", "XDG_RUNTIME_DIR": "",
            "PATH": browser.path, "EARSHOT_PASSPHRASE": "green tea house", "EARSHOT_NEW_PASSPHRASE": "black tea house",
            "EARSHOT_BACKUP_PASSPHRASE": "white tea house", "EARSHOT_ARCHIVE_PASSPHRASE": "red tea house",
            "EARSHOT_HUB_PASSWORD": "cup of tea",
        ]
        let program = "'\(Command.earshot)'"
        let start = stays ? "" : "earshot() { \(program) \"$@\"; }; "
        let command = stays ? "exec " + line.replacing("earshot ", with: program + " ", maxReplacements: 1) : line
        let shell = start + "cd '\(files.path)'; " + command
        return ["ip", "netns", "exec", pair.namespace(host), "env"] + variables.map { "\($0)=\($1)" }
            + ["bash", "-c", shell]
    }

    /// Runs a line as one of the users, to its end.
    func run(_ line: String, as user: String = "Alice", input: String? = nil) throws -> Command {
        try Command.run(words(line, as: user), input: input)
    }

    /// Runs a line repeatedly until its output fits.
    func wait(_ line: String, until fits: (String) -> Bool) throws {
        let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
        while true {
            let command = try run(line)
            if fits(command.output) { return }
            guard ContinuousClock.now < deadline else {
                throw NodeProcess.Failure(description: "\(line) stays at \(command)")
            }
        }
    }

    /// The home directory of a user, in which nothing of Earshot lies.
    private func home(_ user: String) -> URL {
        let home = folder.url.appending(path: user)
        try? FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return home
    }

    /// Creates the identity of a friend, and runs a node on it.
    func friend(_ name: String) throws -> NodeProcess {
        let made = try run("earshot init --name \(name)", as: name)
        try #require(made.status == 0, "\(made)")
        let data = home(name).appending(path: ".local/share/earshot")
        return try NodeProcess(
            name,
            home: data,
            in: pair.namespace("far"),
            [],
            environment: ["EARSHOT_PASSPHRASE": "green tea house"]
        )
    }
}
