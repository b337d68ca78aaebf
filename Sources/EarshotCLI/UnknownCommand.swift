import ArgumentParser

/// A mistyped command, with the nearest known one.
enum UnknownCommand {
    /// The options of every command, with the number of words after each.
    private static let globals = ["--home": 1, "--passphrase-file": 1, "--json": 0, "--quiet": 0]

    /// Makes the sentence about the first word that should be a command and is none; nil if there is no such word.
    ///
    /// - Parameter arguments: The words after `earshot`.
    static func text(of arguments: [String], below root: any ParsableCommand.Type = EarshotCommand.self) -> String? {
        var command = root
        var path: [String] = []
        var words = arguments[...]
        while let word = words.popFirst() {
            if word.hasPrefix("-") {
                let name = String(word.prefix { $0 != "=" })
                // The parser explains all other options.
                guard let count = globals[name], name == word || count == 1 else { return nil }
                words = words.dropFirst(name == word ? count : 0)
                continue
            }
            let settings = command.configuration
            guard word != "help", !settings.subcommands.isEmpty, settings.defaultSubcommand == nil else { return nil }
            guard let next = settings.subcommands.first(where: { isName(word, of: $0) }) else {
                return sentence(word, path, names(below: command))
            }
            (command, path) = (next, path + [word])
        }
        return nil
    }

    private static func isName(_ word: String, of command: any ParsableCommand.Type) -> Bool {
        command.configuration.commandName == word || command.configuration.aliases.contains(word)
    }

    /// Returns the names of the commands below one, as its help shows them.
    static func names(below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .compactMap { $0.configuration.commandName }
    }

    private static func sentence(_ word: String, _ path: [String], _ names: [String]) -> String {
        func words(_ last: String) -> String { (path + [last]).joined(separator: " ") }
        let nearest = Nearest.word(to: word, among: names).map { " Did you mean `\(words($0))`?" } ?? ""
        let shown = words(DisplayText.shortened(DisplayText.safe(word), to: 40))
        return "There is no command `\(shown)`.\(nearest) `earshot \(words("--help"))` lists all."
    }
}
