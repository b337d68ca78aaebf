import Earshot
import Foundation

@testable import ChatCore

/// The README's snippet, compiled without changes.
///
/// A test of the documents compares the two line by line.
func readmeSnippet() async throws {
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
// Package.swift: .package(url: "https://github.com/earshot-chat/earshot.git", .upToNextMinor(from: "0.1.0"))
