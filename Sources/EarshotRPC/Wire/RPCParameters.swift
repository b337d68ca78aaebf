package import ChatCrypto
import Earshot

extension MessageID {
    /// Reads a parameter that holds a message ID.
    package init(parameter name: String, _ text: String) throws(RPCError) {
        guard let id = MessageID(hex: text) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` is a message id of 32 hexadecimal digits.")
        }
        self = id
    }
}

extension ChatNode {
    /// Returns the message that a parameter names, with the conversation that holds it.
    func holding(_ parameter: String, _ text: String) async throws -> (ConversationHandle, MessageID) {
        let id = try MessageID(parameter: parameter, text)
        return (try await conversations.holding(id), id)
    }
}

extension Duration {
    /// Reads a parameter that holds a number of seconds; nil if it is absent.
    package init?(parameter name: String, _ seconds: Double?) throws(RPCError) {
        guard let seconds else { return nil }
        // The limit is a hundred years. A larger number fits no duration, and the node checks its own limits.
        guard (0...3.2e9).contains(seconds) else {
            throw RPCError(.invalidParameters, "The parameter `\(name)` is a number of seconds.")
        }
        self = .seconds(seconds)
    }
}
