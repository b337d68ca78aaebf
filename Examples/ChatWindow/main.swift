import Earshot

// Two people in one process; Alice's side has a chat window. The program checks that the window shows what it should.
var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.discoveryGroups = ["239.255.\(UInt8.random(in: 1...250)).9:\(UInt16.random(in: 20_000...28_000))"]
let alice = try await ChatNode.create(name: "Alice", ChatConfiguration(mesh: mesh))
let bob = try await ChatNode.create(name: "Bob", ChatConfiguration(mesh: mesh, sendsTyping: true))
try await alice.start()
try await bob.start()
for try await contacts in alice.contacts.updates where contacts.contains(where: { $0.id == bob.identity.id }) { break }

let chat = ChatWindow(alice)
let list = Task { try await chat.run() }
chat.open(.direct(bob.identity.id))
try await chat.send("Hello, Bob")
for try await rows in bob.conversations.updates where rows.first?.unreadCount == 1 { break }
try await bob.contacts.decide(.accept, about: alice.identity.id)
try await bob.conversation(.direct(alice.identity.id)).send("Hello, Alice")

let shown = alice.conversation(.direct(bob.identity.id)).messages()
for try await window in shown where window.messages.map(\.text) == ["Hello, Bob", "Hello, Alice"] {
    if window.messages[0].status == .delivered { break }
}
while chat.messages.count < 2 || chat.conversations.first?.unreadCount != 0 { await Task.yield() }
let (rows, texts) = (chat.conversations, chat.messages.map(\.text))
precondition(rows.map(\.title) == ["Bob"] && texts == ["Hello, Bob", "Hello, Alice"])
await alice.stop()
await bob.stop()
try await list.value
print("ChatWindow: \(texts.count) messages with \(rows[0].title), none unread")
