// A mesh for something else than chat: thermometers tell their readings, and whoever comes later gets them too.
import Earshot
import Logging
import MeshCore
import MeshTransport

/// The envelopes of this program: two bytes of a reading each, kept by every node in memory.
let reading: EnvelopeKind = 0
let kinds = KindPolicy([reading: .announcement])

func makeNode(_ group: MulticastGroup) throws -> MeshNode {
    let configuration = MeshNode.Configuration(
        mesh: MeshConfiguration(kinds: kinds),
        interfaces: ["lo"],
        groups: [group]
    )
    return MeshNode(
        configuration: configuration,
        // Links are encrypted and names of envelopes hashed as chat does it; bodies are the program's own business.
        cryptography: try MeshSeals(passphrase: nil),
        logger: Logger(label: "OwnEnvelopes") { _ in SwiftLogNoOpLogHandler() }
    )
}

let host = "239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250))"
guard let group = MulticastGroup("\(host):\(UInt16.random(in: 20_000...28_000))") else {
    fatalError("\(host) is no group")
}
let thermometer = try makeNode(group)
let display = try makeNode(group)
try await thermometer.start()

// The display is not there yet when the first reading is taken.
for tenths: UInt8 in [214, 216] {
    _ = await thermometer.submit(kind: reading, body: [0, tenths], life: 360)
}
try await display.start()

var readings: [UInt8] = []
while readings.count < 2, let batch = await display.nextBatch() {
    for case .deliver(let envelope, _) in batch.effects where envelope.kind == reading {
        guard envelope.body.count == 2 else { fatalError("A reading has two bytes") }
        readings.append(envelope.body[1])
    }
}
guard readings.sorted() == [214, 216] else { fatalError("The display got \(readings)") }

// A kind that the policy does not know goes nowhere.
_ = await thermometer.submit(kind: 9, body: [1], life: 360)
guard await thermometer.snapshot().drops[.malformedMessage] == 1 else { fatalError("An unknown kind was taken") }

await thermometer.stop()
await display.stop()
print("OwnEnvelopes: a display that came later got both readings")
