import Earshot

/// A receiver that accepts every peer and every invitation, and answers questions; the node itself sends receipts.
actor ChatReceiver: ServingEnd {
    private let node: ChatNode
    private var events: ChatEvents?

    init(_ place: ChatPlace) async throws {
        node = try await place.makeNode(ChatPlace.name(ChatPlace.receiverPrefix))
    }

    func start() async throws {
        events = try node.events()
        try await node.start()
    }

    func serve() async {
        guard let events else { return }
        for await event in events {
            do {
                if case .group(let group, .invited) = event {
                    try await node.group(group).answerInvitation(accepts: true)
                }
                guard case .message(let message) = event, !message.isOutgoing else { continue }
                if message.isRequest { try await node.contacts.decide(.accept, about: message.sender) }
                guard message.text.hasPrefix(ChatPlace.question) else { continue }
                let answer = ChatPlace.answer + message.text.dropFirst(ChatPlace.question.count)
                try await node.conversation(.direct(message.sender)).send(answer)
            } catch {
                Progress.say("the receiver: \(error)")
            }
        }
    }

    func stop() async {
        await node.stop()
    }
}
