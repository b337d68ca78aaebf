import Foundation

/// The sources of a passphrase: never an argument, which every user of the machine can read.
enum Passphrase {
    /// The environment variable with the passphrase, for scripts.
    static let variable = "EARSHOT_PASSPHRASE"

    /// The environment variable with a new passphrase, for scripts.
    static let newVariable = "EARSHOT_NEW_PASSPHRASE"

    /// Reads the passphrase from the options or the environment; nil if neither gives one.
    static func given(
        _ global: GlobalOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        if let file = global.passphraseFile { return try read(file) }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the passphrase of a home from its sources, or asks for it.
    static func present(_ global: GlobalOptions, of directory: HomeDirectory) throws -> String {
        if let passphrase = try given(global) { return passphrase }
        guard canAsk else {
            throw CommandFailure(
                .refused,
                "\(directory.url.path) has a passphrase. Give it by --passphrase-file or \(variable)."
            )
        }
        return try ask("Passphrase of \(directory.url.path)")
    }

    /// Reads a new passphrase from a file or the environment, or asks for it twice.
    static func new(
        file: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String {
        if let file { return try read(file) }
        if let given = environment[newVariable], !given.isEmpty { return given }
        guard canAsk else {
            throw CommandFailure(.usage, "Give the new passphrase by --new-passphrase-file or \(newVariable).")
        }
        return try askForNew()
    }

    /// Reads the first line of a file.
    static func read(_ file: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: file), let text = String(data: data, encoding: .utf8)
        else {
            throw CommandFailure(.badData, "The passphrase file \(file) cannot be read as text.")
        }
        let line = text.prefix { !$0.isNewline }
        guard !line.isEmpty else { throw CommandFailure(.badData, "The first line of \(file) is empty.") }
        return String(line)
    }

    /// Whether a user at a terminal can be asked.
    static var canAsk: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Asks on the terminal, without showing the typed text.
    static func ask(_ question: String) throws -> String {
        func ask() { FileHandle.standardError.write(Data("\(question): ".utf8)) }
        let terminal = SilentTerminal()
        ask()
        defer {
            terminal.restore()
            FileHandle.standardError.write(Data("\n".utf8))
        }
        guard let line = terminal.line(onResuming: ask), !line.isEmpty else {
            throw CommandFailure(.refused, "Nothing was typed.")
        }
        return line
    }

    /// The number of characters from which on a passphrase is taken without a question.
    static let shortCount = 8

    /// Asks for a new passphrase, twice; for a short one, asks whether to use it all the same.
    static func askForNew() throws -> String {
        let passphrase = try ask("Choose a passphrase (it cannot be recovered; four or more words are good)")
        if passphrase.count < shortCount, !(try isShortOneFine()) { return try askForNew() }
        guard try ask("Once more") == passphrase else {
            throw CommandFailure(.badData, "The two passphrases differ, and none was set. Run the command again.")
        }
        return passphrase
    }

    private static func isShortOneFine() throws -> Bool {
        let question = "That is short: anyone who copies the protected files can guess it. Use it all the same? [y/N] "
        FileHandle.standardError.write(Data(question.utf8))
        guard let answer = readLine() else { throw CommandFailure(.refused, "Nothing was typed.") }
        return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }
}
