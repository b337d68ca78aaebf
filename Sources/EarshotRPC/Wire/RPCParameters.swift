package import ChatCrypto
import Earshot

extension MessageID {
    /// Reads a parameter that names a message.
    package init(parameter name: String, _ text: String) throws(RPCError) {
        guard let id = MessageID(hex: text) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` is a message id of 32 hexadecimal digits.")
        }
        self = id
    }
}

extension Duration {
    /// Reads a parameter that is a number of seconds; nil where it is absent.
    package init?(parameter name: String, _ seconds: Double?) throws(RPCError) {
        guard let seconds else { return nil }
        // A hundred years: beyond it the number fits no duration, and the node says what it takes.
        guard (0...3.2e9).contains(seconds) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` is a number of seconds.")
        }
        self = .seconds(seconds)
    }
}
