// Two peers in one process find each other on the loopback interface, talk, and compare their safety number.
import Earshot
import Foundation

var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.discoveryGroups = [
    "239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)):\(UInt16.random(in: 20_000...28_000))"
]

let alice = try await ChatNode.create(name: "Alice", ChatConfiguration(mesh: mesh))
let bob = try await ChatNode.create(name: "Bob", ChatConfiguration(mesh: mesh))
let aliceEvents = try alice.events()
let bobEvents = try bob.events()
try await alice.start()
try await bob.start()

// Alice discovers Bob and writes to him.
var bobSeenByAlice: Contact?
for await event in aliceEvents {
    guard case .contact(let contact) = event, contact.name == "Bob" else { continue }
    bobSeenByAlice = contact
    break
}
guard let bobContact = bobSeenByAlice else { fatalError("Bob was never found") }
let message = try await alice.conversation(.direct(bobContact.id)).send("Hello, Bob")

// Bob gets the message as a request, because Alice is no contact of Bob's yet, and accepts it.
var received: Message?
for await event in bobEvents {
    guard case .message(let incoming) = event, !incoming.isOutgoing else { continue }
    received = incoming
    break
}
guard let received, received.text == "Hello, Bob", received.isRequest, received.id == message.id else {
    fatalError("Bob got something else")
}
try await bob.contacts.decide(.accept, about: received.sender)

// Now Bob's node confirms the delivery, and Alice sees it.
var statuses: [DeliveryStatus] = []
for try await status in alice.conversation(message.conversation).statuses(of: message.id) { statuses.append(status) }
guard statuses.last == .delivered else { fatalError("The message got no further than \(statuses)") }

// Both sides see the same number; the program compares it.
let number = try await alice.contacts.safetyNumber(with: bobContact.id)
let state = try await bob.contacts.verify(received.sender, number: number)
guard state == .verified else { fatalError("The numbers differ") }

await alice.stop()
await bob.stop()
print("TwoPeers: delivered as \(statuses.map(\.name).joined(separator: ", ")); verified \(number.prefix(11))…")
