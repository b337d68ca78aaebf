/// What the files of recent messages are called, for lines that tell how far they are.
struct FileNames {
    /// Messages whose files' names are kept; of older ones the files have numbers.
    static let messageCount = 64

    private var names: [String: [String]] = [:]
    /// Oldest first.
    private var messages: [String] = []

    /// Keeps the names of a message's files.
    mutating func add(_ files: [String], of message: String) {
        guard !files.isEmpty, names[message] == nil else { return }
        if messages.count >= Self.messageCount { names[messages.removeFirst()] = nil }
        messages.append(message)
        names[message] = files.map { DisplayText.safe($0) }
    }

    /// The name of a file, or its number where that is not known.
    subscript(message: String, index: Int) -> String {
        guard let files = names[message], files.indices.contains(index) else { return "file \(index + 1)" }
        return files[index]
    }
}
