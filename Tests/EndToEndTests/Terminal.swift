import Foundation

/// A terminal with a command in it, and the content of its screen, by a terminal emulator in Python.
actor Terminal {
    /// A picture on the screen.
    struct Picture: Decodable, Sendable, Equatable {
        let width: Int
        let height: Int
        /// Whether each of the picture's pixels was drawn.
        let isFull: Bool
        /// The red, green and blue of the first pixel; `last` has those of the last one.
        let first: [Int]
        let last: [Int]
        /// The row in which the picture began, before anything scrolled.
        let row: Int
    }

    /// The screen and the state of the command.
    struct Facts: Decodable, Sendable {
        /// The rows without spaces at their ends.
        let screen: [String]
        /// The rows that have scrolled off the screen.
        let above: [String]
        /// The column and the row of the cursor.
        let cursor: [Int]
        let cursorShown: Bool
        let coloured: Bool
        /// Whether the terminal's modes are the same as before the command.
        let modesAsBefore: Bool
        /// Whether the terminal marks pasted text (bracketed paste).
        let marksPastes: Bool
        /// The exit status of the command.
        let status: Int?
        let pictures: [Picture]
        /// Whether the awaited condition came true.
        let fits: Bool

        /// The rows that are not empty.
        var text: [String] { screen.filter { !$0.isEmpty } }
    }

    private struct Wish: Encodable {
        struct Wait: Encodable {
            var shows: [String] = []
            var lacks: [String] = []
            var pictures = 0
            var stopped = false
            var ended = false
        }

        var type: String?
        var resize: [Int]?
        var signal: Int32?
        var wait: Wait?
        var limit: Int?
    }

    private let process: LineProcess
    private let input: FileHandle
    private let folder: TemporaryFolder

    /// Runs a command in a terminal of a given size.
    init(
        _ command: [String],
        width: Int = 80,
        height: Int = 24,
        environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder()
        let pipe = folder.url.appending(path: "input")
        guard mkfifo(pipe.path, 0o600) == 0 else { throw NodeProcess.Failure(description: "mkfifo") }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Terminal/terminal.py")
        let surroundings = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": "", "TMUX": ""]
        input = try FileHandle(forUpdating: pipe)
        process = try LineProcess(
            [TestPython.path, script.path, "\(width)", "\(height)"] + command,
            environment: surroundings.merging(environment) { $1 },
            input: pipe
        )
    }

    deinit { process.stop() }

    /// Types a text.
    func type(_ text: String) throws { try send(Wish(type: text)) }

    /// Pastes a text between marks, as a terminal with bracketed paste does.
    func paste(_ text: String) throws { try type("\u{1B}[200~\(text)\u{1B}[201~") }

    func resize(width: Int, height: Int) throws { try send(Wish(resize: [width, height])) }

    func signal(_ number: Int32) throws { try send(Wish(signal: number)) }

    /// Waits until the screen shows all of `parts` and none of `lacks`, and this many pictures were drawn.
    ///
    /// Fails after a generous limit.
    @discardableResult
    func shows(_ parts: String..., lacks: [String] = [], pictures: Int = 0) async throws -> Facts {
        try await wait(Wish.Wait(shows: parts, lacks: lacks, pictures: pictures))
    }

    /// Waits until the command is suspended.
    func stops() async throws -> Facts { try await wait(Wish.Wait(stopped: true)) }

    /// Waits until the command has ended.
    func ends() async throws -> Facts { try await wait(Wish.Wait(ended: true)) }

    /// Ends the terminal.
    func close() { process.stop() }

    private func wait(_ wait: Wish.Wait) async throws -> Facts {
        try send(Wish(wait: wait, limit: Int(NodeProcess.limit.components.seconds)))
        guard let line = await process.next() else { throw NodeProcess.Failure(description: "The terminal has ended.") }
        let facts = try JSONDecoder().decode(Facts.self, from: Data(line.utf8))
        guard facts.fits else {
            let screen = facts.screen.joined(separator: "\n")
            throw NodeProcess.Failure(description: "Not seen: \(wait)\n\(screen)\nstatus \(facts.status ?? -1)")
        }
        return facts
    }

    private func send(_ wish: Wish) throws {
        try input.write(contentsOf: JSONEncoder().encode(wish) + Data("\n".utf8))
    }
}
