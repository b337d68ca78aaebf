import ArgumentParser

/// The TCP port of a node's page, as an option.
enum PagePort: ExpressibleByArgument, CustomStringConvertible {
    /// The default port if it is free, otherwise any.
    case usual
    /// This one; 0 for any.
    case named(UInt16)

    init?(argument: String) {
        guard let number = UInt16(argument) else { return nil }
        self = .named(number)
    }

    /// The number; nil for the default.
    var number: UInt16? {
        if case .named(let number) = self { number } else { nil }
    }

    var description: String { number.map(String.init) ?? "usual" }
}
