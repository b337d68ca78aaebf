import Earshot
import Foundation

// The snippet of README.md, compiled without changes; a test compares the two line by line.

func readmeTalks() async throws {
    // Package.swift: .package(url: "https://github.com/earshot-chat/earshot.git", .upToNextMinor(from: "0.1.0"))
    let home = URL.temporaryDirectory.appending(path: "alice")
    let node = try await ChatNode.open(.directory(home), orCreate: "Alice")
    let events = try node.events()
    try await node.start()

    for await event in events {
        switch event {
        case .contact(let contact) where contact.name == "Bob":
            let conversation = node.conversation(.direct(contact.id))
            let message = try await conversation.send("Hello, Bob")
            for try await status in conversation.statuses(of: message.id) {
                print("my message is \(status.name)")
            }
        case .message(let message) where !message.isOutgoing:
            print("\(message.senderName): \(message.text)")
        default:
            break
        }
    }
}
