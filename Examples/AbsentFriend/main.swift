// Alice writes to Bob, who is offline, then goes offline too. A relay stores the message and delivers it to Bob.
import Earshot
import Foundation

/// Waits for the first event that yields a value.
func first<Value: Sendable>(
    _ events: ChatEvents,
    _ pick: (ChatEvent) -> Value?
) async -> Value {
    for await event in events {
        if let value = pick(event) { return value }
    }
    fatalError("The node stopped before it happened")
}

let homes = FileManager.default.temporaryDirectory.appending(path: "absent-friend-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: homes) }
var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.discoveryGroups = [
    "239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)):\(UInt16.random(in: 20_000...28_000))"
]
var relaying = mesh
relaying.isRelayOnly = true

func node(_ name: String, _ mesh: MeshOptions) async throws -> ChatNode {
    try await ChatNode.open(.directory(homes.appending(path: name)), orCreate: name, ChatConfiguration(mesh: mesh))
}

let relay = try await node("Relay", relaying)
try await relay.start()

// Alice and Bob meet once, so that Alice has Bob's keys.
let alice = try await node("Alice", mesh)
let aliceEvents = try alice.events()
try await alice.start()
var bob = try await node("Bob", mesh)
try await bob.start()
let bobID = await first(aliceEvents) { event -> PeerID? in
    guard case .contact(let contact) = event, contact.name == "Bob" else { return nil }
    return contact.id
}
await bob.stop()

// Bob is offline. Alice writes, waits until another node carries the message, and goes offline too.
let message = try await alice.conversation(.direct(bobID)).send("See you tomorrow")
for try await _ in alice.conversation(.direct(bobID)).statuses(of: message.id, until: .carried) {}
await alice.stop()

// Bob comes back and gets the message from the relay.
bob = try await node("Bob", mesh)
let bobEvents = try bob.events()
try await bob.start()
let text = await first(bobEvents) { event -> String? in
    guard case .message(let message) = event else { return nil }
    return message.text
}
precondition(text == "See you tomorrow")
await bob.stop()
await relay.stop()
print("AbsentFriend: '\(text)' reached Bob with Alice gone")
