// A node in forty lines: it finds peers nearby, prints their messages, and sends each line you type as `NAME TEXT`.
// Run `swift run MeshNode Alice`, and `swift run MeshNode Bob` in another terminal; `--check` tests the node and exits.
import Earshot
import Foundation

let isCheck = CommandLine.arguments.contains("--check")
let name = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("--") } ?? "Node"
var mesh = MeshOptions()
if isCheck { mesh.interfaces = ["lo"] }

let node = try ChatNode(ChatConfiguration(name: name, home: .memory, mesh: mesh))
let events = await node.events()
try await node.start()
let status = await node.status
print("I am \(status.name), \(status.fingerprint). Type NAME TEXT.")
if isCheck {
    precondition(status.fingerprint.count == 35 && status.outboxCount == 0)
    await node.stop()
    exit(0)
}

Task {
    for await event in events {
        switch event {
        case .message(let message) where !message.isOutgoing: print("\(message.senderName): \(message.text)")
        case .contact(let contact): print("  (\(contact.name) is there)")
        case .status(_, _, let status): print("  (\(status.name))")
        default: break
        }
    }
}
while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    do {
        if words.count == 2 { try await node.send(words[1], to: .direct(node.contact(named: words[0]).id)) }
    } catch {
        print("  (\(error))")
    }
}
await node.stop()
