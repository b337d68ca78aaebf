import Earshot
import Foundation

/// Answers every message of a contact with the same text, and saves the files that come with it.
///
///     swift run Bot Parrot /tmp/parrot
func answer(_ message: Message, by node: ChatNode, in folder: URL) async throws {
    let conversation = node.conversation(message.conversation)
    if message.isRequest { try await node.contacts.decide(.accept, about: message.sender) }
    for index in message.files.indices {
        for try await file in conversation.file(message.id, index: index) where file.isComplete {
            print("saved", try await conversation.saveFile(message.id, index: index, to: folder).path)
        }
    }
    if !message.text.isEmpty {
        try await conversation.send(message.text, MessageOptions(replyTo: message.id))
    }
    try await conversation.markRead(upTo: message.id)
}

guard CommandLine.arguments.count == 3 else { fatalError("usage: Bot NAME HOME") }
let (name, home) = (CommandLine.arguments[1], URL(filePath: CommandLine.arguments[2]))
let node = try await ChatNode.open(.directory(home), orCreate: name)
let events = try node.events()
try await node.start()
print("\(name) answers as \(node.identity.fingerprint)")
// A file that does not come holds up nobody else's answer.
await withDiscardingTaskGroup { group in
    for await case .message(let message) in events where !message.isOutgoing && message.kind != .system {
        group.addTask {
            do {
                try await answer(message, by: node, in: home.appending(path: "media"))
            } catch {
                print("no answer:", error)
            }
        }
    }
}
