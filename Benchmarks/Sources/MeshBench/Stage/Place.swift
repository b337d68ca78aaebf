/// The network namespace of a process of the bench.
enum Place: Sendable, Hashable {
    /// The namespace of the command itself.
    case here
    /// A network namespace by its name.
    case namespace(String)

    /// The prefix of a command line that makes it run there.
    var prefix: [String] {
        switch self {
        case .here: []
        case .namespace(let name): ["ip", "netns", "exec", name]
        }
    }
}
