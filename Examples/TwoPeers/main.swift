// Two peers in one process find each other on the loopback interface, talk, and compare their safety number.
import Earshot
import Foundation

var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.discoveryGroups = [
    "239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)):\(UInt16.random(in: 20_000...28_000))"
]

let alice = try ChatNode(ChatConfiguration(name: "Alice", mesh: mesh))
let bob = try ChatNode(ChatConfiguration(name: "Bob", mesh: mesh))
let aliceEvents = await alice.events()
let bobEvents = await bob.events()
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
let message = try await alice.send("Hello, Bob", to: .direct(bobContact.id))

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
try await bob.trust(received.sender, .accept)

// Now Bob's node confirms the delivery, and Alice sees it.
var statuses: [DeliveryStatus] = []
for await status in await alice.statuses(of: message.id) {
    statuses.append(status)
    if status == .delivered { break }
}
guard statuses.last == .delivered else { fatalError("The message got no further than \(statuses)") }

// Both sides see the same number; the program compares it.
let number = try await alice.safetyNumber(with: bobContact.id)
let state = try await bob.verify(received.sender, number: number)
guard state == .verified else { fatalError("The numbers differ") }

await alice.stop()
await bob.stop()
print("TwoPeers: delivered as \(statuses.map(\.name).joined(separator: ", ")); verified \(number.prefix(11))…")
