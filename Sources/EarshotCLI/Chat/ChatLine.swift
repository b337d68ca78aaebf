/// The parser of typed lines.
enum ChatLine {
    /// Parses the action of a line.
    ///
    /// A line with `/` at its start is a command, one with `//` a text that begins with `/`. Names of emoji between
    /// colons become emoji.
    static func action(of line: String) throws(ChatMistake) -> ChatAction {
        let line = trimmed(line[...])
        guard !line.isEmpty else { return .nothing }
        guard line.hasPrefix("/") else { return .say(EmojiNames.replaced(in: line)) }
        if line.hasPrefix("//") { return .say(EmojiNames.replaced(in: String(line.dropFirst()))) }
        let (name, rest) = split(line.dropFirst())
        guard let verb = ChatVerb(rawValue: name.lowercased()) else {
            throw unknown(name)
        }
        return try action(verb, rest)
    }

    private static func action(_ verb: ChatVerb, _ rest: String) throws(ChatMistake) -> ChatAction {
        switch verb {
        case .dm: return .open(try text(rest, verb))
        case .reply, .edit:
            let (number, text) = try numbered(rest, verb)
            let words = EmojiNames.replaced(in: try self.text(text, verb))
            return verb == .reply ? .reply(number, words) : .edit(number, words)
        case .react:
            let (number, emoji) = try numbered(rest, verb)
            return .react(number, EmojiNames.replaced(in: try text(emoji, verb)))
        case .poll: return try poll(rest)
        case .vote:
            let (number, choices) = try numbered(rest, verb)
            return .vote(number, try numbers(choices, verb))
        case .delete: return .delete(try lone(rest, verb))
        case .file:
            let parts = try text(rest, verb).split(separator: "|", maxSplits: 1)
            let words = EmojiNames.replaced(in: parts.count > 1 ? trimmed(parts[1]) : "")
            return .file(path: unquoted(trimmed(parts.first ?? "")), text: words)
        case .save:
            let (number, folder) = try numbered(rest, verb)
            return .save(number, folder: folder.isEmpty ? nil : unquoted(folder))
        case .search: return .search(try text(rest, verb))
        case .name: return .name(rest == "off" ? nil : try text(rest, verb))
        case .verify: return try verification(rest)
        case .trust: return try trust(rest)
        case .room: return .room(try room(rest))
        case .expire: return .expire(rest.isEmpty ? nil : try span(rest))
        case .more: return .older
        case .who: return .who
        case .hide: return .hide
        case .show: return .show
        case .lock: return .lock
        case .help: return .help(try topic(rest))
        case .quit: return .quit
        }
    }

    /// Makes the refusal of an unknown command, with the nearest one.
    private static func unknown(_ name: String) -> ChatMistake {
        if UnknownCommand.names(below: EarshotCommand.self).contains(name.lowercased()) {
            return ChatMistake("The chat has no command /\(name): use `earshot \(name)` in another terminal.")
        }
        let nearest = Nearest.word(to: name, among: ChatVerb.allCases.map(\.rawValue))
        let hint = nearest.map { "did you mean /\($0)?" } ?? "/help lists them."
        return ChatMistake("There is no command /\(name); \(hint) To send a text that begins with /, type //.")
    }

    private static func poll(_ rest: String) throws(ChatMistake) -> ChatAction {
        let parts = rest.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
        if parts.count == 1, parts[0].hasPrefix("close ") {
            return .closePoll(try lone(String(parts[0].dropFirst("close ".count)), .poll))
        }
        guard parts.count > 2, parts.allSatisfy({ !$0.isEmpty }) else { throw usage(.poll) }
        return .poll(question: parts[0], options: Array(parts.dropFirst()))
    }

    private static func verification(_ rest: String) throws(ChatMistake) -> ChatAction {
        var words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        var digits = ""
        while let last = words.last, digits.count < 60, last.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "-" }) {
            digits = words.removeLast().filter(\.isNumber) + digits
        }
        guard !digits.isEmpty else { return .verify(who: rest.isEmpty ? nil : rest, number: nil) }
        guard let number = SafetyNumberText.digits(digits) else {
            let hint = words.isEmpty ? "" : " Open \(rest) by /dm first if that is a name."
            throw ChatMistake(SafetyNumberText.mistake(digitCount: digits.count) + hint)
        }
        return .verify(who: words.isEmpty ? nil : words.joined(separator: " "), number: number)
    }

    private static func trust(_ rest: String) throws(ChatMistake) -> ChatAction {
        let (action, who) = split(rest[...])
        guard ["accept", "block", "unblock"].contains(action) else { throw usage(.trust) }
        return .trust(action: action, who: who.isEmpty ? nil : who)
    }

    private static func room(_ rest: String) throws(ChatMistake) -> ChatAction.RoomAction {
        let (what, words) = split(rest[...])
        switch what {
        case "", "list": return .list
        case "create":
            let (title, last) = lastWord(try text(words, .room))
            // A bare number belongs to the title.
            if let last, last.last?.isLetter == true, let life = TimeText.duration(last) {
                return .create(title: title, seconds: Double(life.components.seconds))
            }
            return .create(title: words, seconds: nil)
        case "join":
            let (code, name) = split(try text(words, .room)[...])
            return .join(code: code, name: name.isEmpty ? nil : name)
        case "admit": return .answer(name: try text(words, .room), admits: true)
        case "refuse": return .answer(name: try text(words, .room), admits: false)
        case "leave": return .leave(title: try text(words, .room))
        default: throw usage(.room)
        }
    }

    private static func topic(_ rest: String) throws(ChatMistake) -> ChatAction.HelpTopic {
        if rest.isEmpty { return .beginning }
        if rest == "more" { return .rest }
        let name = rest.hasPrefix("/") ? String(rest.dropFirst()) : rest
        guard let verb = ChatVerb(rawValue: name.lowercased()) else { throw unknown(name) }
        return .command(verb)
    }

    private static func span(_ rest: String) throws(ChatMistake) -> Double {
        if ["off", "never", "0"].contains(rest) { return 0 }
        guard let span = TimeText.duration(rest), span.components.seconds > 0 else { throw usage(.expire) }
        return Double(span.components.seconds)
    }

    // MARK: Words

    private static func usage(_ verb: ChatVerb) -> ChatMistake {
        if verb == .expire { return ChatMistake("How to use it: /expire 5m, or /expire off.") }
        return ChatMistake("How to use it: /\(verb.rawValue)\(verb.usage.isEmpty ? "" : " " + verb.usage).")
    }

    private static func text(_ rest: String, _ verb: ChatVerb) throws(ChatMistake) -> String {
        guard !rest.isEmpty else { throw usage(verb) }
        return rest
    }

    /// Splits off the number of a message from the rest.
    private static func numbered(_ rest: String, _ verb: ChatVerb) throws(ChatMistake) -> (Int, String) {
        let (word, text) = split(rest[...])
        guard let number = number(word) else { throw usage(verb) }
        return (number, text)
    }

    private static func lone(_ rest: String, _ verb: ChatVerb) throws(ChatMistake) -> Int {
        let (number, text) = try numbered(rest, verb)
        guard text.isEmpty else { throw usage(verb) }
        return number
    }

    private static func numbers(_ rest: String, _ verb: ChatVerb) throws(ChatMistake) -> [Int] {
        var numbers: [Int] = []
        for word in rest.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            guard let number = number(String(word)) else { throw usage(verb) }
            numbers.append(number)
        }
        return numbers
    }

    private static func number(_ word: String) -> Int? {
        let digits = word.hasPrefix("#") ? word.dropFirst() : word[...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits), number > 0 else { return nil }
        return number
    }

    /// Splits off the first word from the text after its spaces.
    private static func split(_ text: some StringProtocol) -> (String, String) {
        let word = text.prefix { !$0.isWhitespace }
        return (String(word), trimmed(text.dropFirst(word.count)[...]))
    }

    private static func lastWord(_ text: String) -> (String, String?) {
        guard let space = text.lastIndex(where: \.isWhitespace) else { return (text, nil) }
        return (trimmed(text[..<space]), String(text[text.index(after: space)...]))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the path without its quotes, or without the backslash before each space, as people paste it.
    private static func unquoted(_ path: String) -> String {
        for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
            return String(path.dropFirst().dropLast())
        }
        return path.replacing("\\ ", with: " ")
    }
}
