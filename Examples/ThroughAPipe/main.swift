// Two peers that no network joins talk through a pipe: each runs a command, whose standard input and output carry the
// link. Any command that copies bytes will do, such as `ssh HOST nc localhost PORT` or a program for a serial line.
import Earshot
import Foundation

let folder = URL.temporaryDirectory.appending(path: "earshot-pipe-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let (there, back) = (folder.appending(path: "there").path, folder.appending(path: "back").path)
guard mkfifo(there, 0o600) == 0, mkfifo(back, 0o600) == 0 else { fatalError("No named pipes in \(folder.path)") }

func peer(_ name: String, reading input: String, writing output: String) async throws -> ChatNode {
    var mesh = MeshOptions()
    mesh.interfaces = ["lo"]
    mesh.usesMulticast = false
    mesh.carriers = ["exec:cat <'\(input)' & exec cat >'\(output)'"]
    return try await ChatNode.create(name: name, ChatConfiguration(mesh: mesh))
}
let alice = try await peer("Alice", reading: back, writing: there)
let bob = try await peer("Bob", reading: there, writing: back)
let aliceEvents = try alice.events()
let bobEvents = try bob.events()
try await alice.start()
try await bob.start()

// Bob's bundle comes through the pipe, and Alice writes to him.
for await event in aliceEvents {
    guard case .contact(let contact) = event, contact.name == "Bob" else { continue }
    try await alice.conversation(.direct(contact.id)).send("Hello through the pipe")
    break
}
var text: String?
for await event in bobEvents {
    guard case .message(let message) = event, !message.isOutgoing else { continue }
    text = message.text
    break
}
let addresses = try await alice.map().links.map(\.address)
precondition(text == "Hello through the pipe")
precondition(addresses == ["stream 0"])

await alice.stop()
await bob.stop()
try FileManager.default.removeItem(at: folder)
print("ThroughAPipe: a message came by \(addresses[0])")
