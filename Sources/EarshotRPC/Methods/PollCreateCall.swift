import ChatCrypto
import Earshot

/// Asks a question with options.
package struct PollCreateCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "poll.create"
    /// The names of its parameters.
    package static let parameters = ["to", "question", "options", "multiple", "mayChange", "replyTo", "expiresAfter"]

    /// Who: a peer id, its beginning, a nickname, or `group:` and a title.
    package let to: String
    /// What is asked.
    package let question: String
    /// What can be chosen, 2 to 12.
    package let options: [String]
    /// Whether one may choose several; no if left out.
    package let multiple: Bool?
    /// Whether one may choose anew; yes if left out.
    package let mayChange: Bool?
    /// The id of the message that it answers.
    package let replyTo: String?
    /// Units: seconds from being read until it is gone; 0 for never.
    package let expiresAfter: Double?

    /// Makes the call.
    package init(
        to: String,
        question: String,
        options: [String],
        multiple: Bool? = nil,
        mayChange: Bool? = nil,
        expiresAfter: Double? = nil
    ) {
        self.to = to
        self.question = question
        self.options = options
        self.multiple = multiple
        self.mayChange = mayChange
        replyTo = nil
        self.expiresAfter = expiresAfter
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> SendCall.Reply {
        let poll = Poll(
            question,
            options: options,
            allowsSeveral: multiple ?? false,
            allowsChange: mayChange ?? true
        )
        let messageOptions = MessageOptions(
            replyTo: try replyTo.map { id throws(RPCError) in try MessageID(parameter: "replyTo", id) },
            expiresAfter: try Duration(parameter: "expiresAfter", expiresAfter)
        )
        do throws(ChatError) {
            let message = try await node.ask(poll, messageOptions, to: try await node.conversation(named: to))
            return SendCall.Reply(message: message.id.description)
        } catch {
            throw RPCError(error)
        }
    }
}
