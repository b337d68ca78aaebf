import ChatCrypto
package import Earshot

package struct PollCreateCall: RPCMethod {
    package static let name = "poll.create"
    package static let summary = "Creates a poll."
    package static let parameters: RPCParameters = [
        "to": Meaning.conversation, "question": "The question.", "options": "The options, 2 to 12 texts.",
        "multiple": "Whether a voter may choose several options; false by default.",
        "mayChange": "Whether a voter may change the vote; true by default.", "replyTo": Meaning.replyTo,
        "expiresAfter": Meaning.expiresAfter,
    ]
    package static let example = PollCreateCall(
        to: "group:Forest",
        question: "When?",
        options: ["ten", "noon"],
        multiple: true
    )

    let to: String
    let question: String
    let options: [String]
    let multiple: Bool?
    let mayChange: Bool?
    var replyTo: String?
    let expiresAfter: Double?

    package init(
        to: String,
        question: String,
        options: [String],
        multiple: Bool? = nil,
        mayChange: Bool? = nil,
        expiresAfter: Double? = nil
    ) {
        (self.to, self.question, self.options) = (to, question, options)
        (self.multiple, self.mayChange, self.expiresAfter) = (multiple, mayChange, expiresAfter)
    }

    package func perform(on node: ChatNode) async throws -> SendCall.Reply {
        let poll = Poll(
            question,
            options: options,
            allowsSeveral: multiple ?? false,
            allowsChange: mayChange ?? true
        )
        let messageOptions = try MessageOptions(replyTo: replyTo, expiresAfter: expiresAfter)
        let conversation = try await node.conversations.named(to)
        return SendCall.Reply(try await conversation.ask(poll, messageOptions))
    }
}

package struct PollVoteCall: RPCMethod {
    package static let name = "poll.vote"
    package static let summary = "Votes in a poll."
    package static let parameters: RPCParameters = [
        "poll": Meaning.poll, "options": "The positions of the chosen options, from 0; none withdraws the vote.",
    ]
    package static let example = PollVoteCall(poll: "{poll.create}", options: [1])

    let poll: String
    let options: [Int]

    package init(poll: String, options: [Int]) { (self.poll, self.options) = (poll, options) }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("poll", poll)
        try await conversation.vote(options, in: id)
        return EmptyReply()
    }
}

package struct PollCloseCall: RPCMethod {
    package static let name = "poll.close"
    package static let summary = "Closes an own poll."
    package static let parameters: RPCParameters = ["poll": Meaning.poll]
    package static let example = PollCloseCall(poll: "{poll.create}")

    let poll: String

    package init(poll: String) { self.poll = poll }

    package func perform(on node: ChatNode) async throws -> EmptyReply {
        let (conversation, id) = try await node.holding("poll", poll)
        try await conversation.closePoll(id)
        return EmptyReply()
    }
}
