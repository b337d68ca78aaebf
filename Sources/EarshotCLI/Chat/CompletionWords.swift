import Foundation

/// The words for the completion of a typed line.
struct CompletionWords: Equatable, Sendable {
    /// A completion of the end of a line.
    enum Completion: Equatable, Sendable {
        case nothing
        /// A text that replaces this many scalars before the cursor.
        case insert(String, replacing: Int)
        /// The common beginning of several candidates, with the candidates.
        case several([String], insert: String, replacing: Int)
    }

    /// The number of candidates that are shown.
    static let shownCount = 40

    /// Names of contacts, and `group:` or `room:` with titles.
    var people: [String] = []
    /// Names for a mention after `@`: those of the open conversation.
    var members: [String] = []

    /// Completes the text before the cursor.
    ///
    /// - Parameter names: The names in a folder; those of folders end with `/`.
    func completion(of text: String, names: (String) -> [String] = { _ in [] }) -> Completion {
        if let colon = Self.emojiStart(in: text) {
            let begun = String(text[colon...].dropFirst())
            let fits = EmojiNames.all.keys.filter { $0.hasPrefix(begun) }.sorted()
            return Self.choice(fits.map { ":\($0):" }, begun: ":" + begun, ending: " ")
        }
        if text.hasPrefix("/"), !text.contains(where: \.isWhitespace) {
            let fits = ChatVerb.allCases.map { "/\($0.rawValue)" }.filter { $0.hasPrefix(text) }
            return Self.choice(fits, begun: text, ending: " ")
        }
        if let at = text.lastIndex(of: "@"), at == text.startIndex || text[text.index(before: at)].isWhitespace {
            let begun = String(text[at...])
            return Self.choice(Self.fitting(members.map { "@\($0)" }, begun), begun: begun, ending: " ")
        }
        guard text.hasPrefix("/") else { return .nothing }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let verb = ChatVerb(rawValue: String(words[0].dropFirst())), let last = words.last else {
            return .nothing
        }
        switch verb.word(at: words.count - 1) {
        case .person:
            // Names may have spaces, so everything after the command is one name.
            let begun = words.dropFirst(verb == .trust ? 2 : 1).joined(separator: " ")
            return Self.choice(Self.fitting(people, begun), begun: begun, ending: " ")
        case .oneOf(let choices):
            return Self.choice(choices.filter { $0.hasPrefix(last) }, begun: last, ending: " ")
        case .path:
            let begun = words.dropFirst(verb == .save ? 2 : 1).joined(separator: " ")
            return Self.path(begun, names)
        case .emoji, nil: return .nothing
        }
    }

    private static func path(_ begun: String, _ names: (String) -> [String]) -> Completion {
        let folder = begun.lastIndex(of: "/").map { String(begun[...$0]) } ?? ""
        let name = String(begun.dropFirst(folder.count))
        let fits = names(folder).filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
        return choice(fits, begun: name, ending: "")
    }

    /// Finds the start of an unfinished emoji name: a colon after a space or at the start of the text.
    private static func emojiStart(in text: String) -> String.Index? {
        guard let colon = text.lastIndex(of: ":"), text[colon...].count > 1,
            colon == text.startIndex || text[text.index(before: colon)].isWhitespace,
            text[text.index(after: colon)...].allSatisfy({ $0.isLetter || $0.isNumber || "_+-".contains($0) })
        else { return nil }
        return colon
    }

    private static func fitting(_ names: [String], _ begun: String) -> [String] {
        names.filter { $0.lowercased().hasPrefix(begun.lowercased()) }.sorted()
    }

    private static func choice(_ fits: [String], begun: String, ending: String) -> Completion {
        guard let first = fits.first else { return .nothing }
        let count = begun.unicodeScalars.count
        guard fits.count > 1 else { return .insert(first + (first.hasSuffix("/") ? "" : ending), replacing: count) }
        let common = fits.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        return .several(fits, insert: common.count >= begun.count ? common : begun, replacing: count)
    }
}
