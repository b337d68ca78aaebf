/// Where a process of the bench runs.
enum Place: Sendable, Hashable {
    /// In the namespace of the command itself.
    case here
    /// In a network namespace by its name.
    case namespace(String)

    /// What stands before a command line so that it runs there.
    var prefix: [String] {
        switch self {
        case .here: []
        case .namespace(let name): ["ip", "netns", "exec", name]
        }
    }
}
