// A store of your own: it passes every conformance check, then a node keeps its history in it over a restart.
import ChatHistory
import ChatHistoryTesting
import Earshot
import Foundation

let folder = FileManager.default.temporaryDirectory.appending(path: "custom-store-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

// Each check needs an empty store, which it opens several times.
for check in StoreCheck.allCases {
    let file = folder.appending(path: "\(check).lines")
    try StoreConformance(isPersistent: true) { try LineStore(file) }.run(check)
}

// Alice keeps her history in it; Bob, who keeps none, receives her message.
var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.discoveryGroups = [
    "239.255.\(UInt8.random(in: 1...250)).\(UInt8.random(in: 1...250)):\(UInt16.random(in: 20_000...28_000))"
]
let home = folder.appending(path: "alice")
var configuration = ChatConfiguration(mesh: mesh)
configuration.openStore = { directory throws(StoreError) in
    try LineStore(directory.appending(path: "history.lines"))
}

var alice = try await ChatNode.create(name: "Alice", in: .directory(home), configuration)
let events = try alice.events()
let bob = try await ChatNode.create(name: "Bob the gardener", ChatConfiguration(mesh: mesh))
try await alice.start()
try await bob.start()
var found: Contact?
for await case .contact(let contact) in events {
    found = contact
    break
}
guard let friend = found else { fatalError("Bob was never found") }
let note = try await alice.conversation(.direct(friend.id)).send("Water the tomatoes")
await alice.stop()
await bob.stop()

alice = try await ChatNode.open(.directory(home), configuration)
let kept = try await alice.conversation(.direct(friend.id)).history(limit: 10)
precondition(kept.map(\.id) == [note.id] && kept.map(\.text) == ["Water the tomatoes"])
await alice.stop()

// The file holds sealed bytes only: neither the text nor the name can be read in them.
let text = try String(contentsOf: home.appending(path: "history.lines"), encoding: .utf8)
let sealed = try text.split(separator: "\n").map { line in
    let stored = try JSONDecoder().decode(StoredLine.self, from: Data(line.utf8))
    guard case .batch(let changes) = stored else { return Data() }
    return changes.reduce(into: Data()) { bytes, change in
        if case .put(_, _, _, _, _, let row) = change { bytes += row }
    }
}
precondition(sealed.contains { !$0.isEmpty })
for secret in ["Water the tomatoes", "Bob the gardener"] {
    precondition(!text.contains(secret) && sealed.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
}
precondition(!FileManager.default.fileExists(atPath: home.appending(path: "history.sqlite").path))
print("CustomStore: \(StoreCheck.allCases.count) rules kept; '\(note.text)' outlived a restart, sealed")
