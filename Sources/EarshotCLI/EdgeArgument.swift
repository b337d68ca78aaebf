import ArgumentParser
import Earshot
import EarshotRPC

/// A message's id or a time as an option, in the form that JSON-RPC takes.
struct EdgeArgument: ExpressibleByArgument {
    let text: String

    static let help = "a message's id, \(MomentArgument.help)"

    /// Whether text is the id of a message.
    static func isMessage(_ text: String) -> Bool {
        text.count == 32 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    init?(argument: String) {
        let isID = Self.isMessage(argument)
        guard
            let text = isID
                ? argument.lowercased() : MomentArgument(argument: argument).map({ Timestamp($0.date).text })
        else {
            return nil
        }
        self.text = text
    }
}
