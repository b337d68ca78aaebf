import Earshot
import Foundation

// The snippets of GettingStarted.md, compiled without changes: one function each.

func gettingStartedOpens() async throws {
    let home = URL.temporaryDirectory.appending(path: "alice")
    let node = try await ChatNode.open(.directory(home), orCreate: "Alice")
    try await node.start()
}

func gettingStartedShowsState(_ node: ChatNode) async throws {
    for try await state in node.states {
        switch state {
        case .running(let linkCount): print("\(linkCount) neighbours are linked")
        case .ready: print("not started")
        case .locked: print("enter the passphrase")
        case .suspended: print("paused")
        }
    }
}

func gettingStartedShowsContacts(_ node: ChatNode) async throws {
    for try await contacts in node.contacts.updates {
        for contact in contacts where contact.isReachable {
            print("\(contact.name), \(contact.fingerprint)")
        }
    }
}

func gettingStartedShowsConversations(_ node: ChatNode) async throws {
    for try await conversations in node.conversations.updates {
        for conversation in conversations {
            print("\(conversation.title): \(conversation.unreadCount) unread")
        }
    }
}

func gettingStartedShowsMessages(_ conversation: ConversationHandle) async throws {
    let window = conversation.messages(pageSize: 50)
    for try await part in window {
        for message in part.messages {
            print("\(message.senderName): \(message.text)")
        }
        try await conversation.markRead()
    }
}

func gettingStartedSends(_ node: ChatNode) async throws {
    let bob = try await node.contacts.named("Bob")
    let conversation = node.conversation(.direct(bob.id))
    let message = try await conversation.send("Hello, Bob")
    for try await status in conversation.statuses(of: message.id) {
        print("the message is \(status.name)")
    }
}

func gettingStartedAnswers(_ conversation: ConversationHandle, _ message: Message, _ map: URL) async throws {
    try await conversation.send("Yes", MessageOptions(replyTo: message.id, expiresAfter: .seconds(86_400)))
    try await conversation.send("The map", files: [FileDraft(map)])
    try await conversation.react("👍", to: message.id)
    try await conversation.ask(Poll("Tea?", options: ["yes", "no"]))
}

func gettingStartedSeals(_ conversation: ConversationHandle, _ film: URL) async throws {
    try await conversation.send("The film", files: [FileDraft(film)]) { fraction in
        print("sealed \(Int(fraction * 100)) %")
    }
}

func gettingStartedMeetsGroups(_ node: ChatNode, _ bob: Contact, _ carol: Contact) async throws {
    let group = try await node.conversations.createGroup(title: "Trees", members: [bob.id])
    try await node.conversation(.group(group.id)).send("Welcome")
    try await node.group(group.id).add([carol.id])
}

func gettingStartedMeetsRooms(_ node: ChatNode, _ otherNode: ChatNode) async throws {
    let room = try await node.rooms.create(RoomPlan(title: "Picnic", expiresAfter: .seconds(3_600)))
    if let code = room.admissionState?.code, let credential = JoinCredential(code) {
        try await otherNode.rooms.join(credential, as: "Bo")
    }
}

func gettingStartedHandlesErrors(_ conversation: ConversationHandle, _ text: String) async {
    do {
        try await conversation.send(text)
    } catch {
        switch error.code {
        case .refusedByTrust: print("Compare the safety number first.")
        case .tooLarge: print("The text may have \(error.limit ?? 0) bytes.")
        default: print(error.reason)
        }
    }
}

func gettingStartedWatchesEvents(_ node: ChatNode) async throws {
    for await event in try node.events() {
        switch event {
        case .message(let message) where !message.isOutgoing: print("\(message.senderName): \(message.text)")
        case .lagged(let count): print("\(count) events were missed")
        default: break
        }
    }
}

func gettingStartedEnds(_ node: ChatNode) async throws {
    try await node.suspend()
    try await node.start()
    await node.stop()
}
