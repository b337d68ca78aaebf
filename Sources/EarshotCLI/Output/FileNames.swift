/// The names of the files of recent messages, for progress lines.
struct FileNames {
    /// The number of messages whose file names are kept; files of older ones are shown by their numbers.
    static let messageCount = 64

    private var names: [String: [String]] = [:]
    /// The messages, oldest first.
    private var messages: [String] = []

    /// Keeps the names of a message's files.
    mutating func add(_ files: [String], of message: String) {
        guard !files.isEmpty, names[message] == nil else { return }
        if messages.count >= Self.messageCount { names[messages.removeFirst()] = nil }
        messages.append(message)
        names[message] = files.map { DisplayText.safe($0) }
    }

    /// The name of a file; its number if the name is not known.
    subscript(message: String, index: Int) -> String {
        guard let files = names[message], files.indices.contains(index) else { return "file \(index + 1)" }
        return files[index]
    }
}
