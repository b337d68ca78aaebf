// A mesh for something other than chat: thermometers publish readings, and a node that joins later gets them too.
import Earshot
import Logging
import MeshCore
import MeshTransport

/// The kind of this program's envelopes: a reading of two bytes, which every node keeps in memory.
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
        // The links are encrypted and envelope names hashed as in chat; the program itself encrypts the bodies or not.
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

// The display does not run yet at the time of the first readings.
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

// A kind that the policy does not know is dropped.
_ = await thermometer.submit(kind: 9, body: [1], life: 360)
guard await thermometer.snapshot().drops[.malformedMessage] == 1 else { fatalError("An unknown kind was taken") }

await thermometer.stop()
await display.stop()
print("OwnEnvelopes: a display that came later got both readings")
