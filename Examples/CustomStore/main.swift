// A store of one's own: shown to keep every rule, then a node keeps its history in it over a restart.
import ChatHistory
import ChatHistoryTesting
import Earshot
import Foundation

let folder = FileManager.default.temporaryDirectory.appending(path: "custom-store-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

// Each check wants an empty store, which it opens again and again.
for check in StoreCheck.allCases {
    let file = folder.appending(path: "\(check).lines")
    try StoreConformance(isPersistent: true) { try LineStore(file) }.run(check)
}

// Alice keeps her history in it: on her own, for which she needs no mesh but loopback.
var mesh = MeshOptions()
mesh.interfaces = ["lo"]
mesh.usesMulticast = false
let home = folder.appending(path: "alice")
var configuration = ChatConfiguration(name: "Alice", home: .directory(home), mesh: mesh)
configuration.openStore = { directory throws(StoreError) in
    try LineStore(directory.appending(path: "history.lines"))
}

var alice = try ChatNode(configuration)
try await alice.start()
let group = try await alice.createGroup(title: "Notes to self")
let note = try await alice.send("Water the tomatoes", to: group.id)
await alice.stop()

alice = try ChatNode(configuration)
try await alice.start()
let kept = try await alice.history(.group(group.id), limit: 10)
precondition(kept.contains { $0.id == note.id && $0.text == "Water the tomatoes" })
await alice.stop()

// What is in the file is sealed.
let text = try String(contentsOf: home.appending(path: "history.lines"), encoding: .utf8)
precondition(!text.contains("tomatoes") && !text.contains("Notes to self"))
precondition(!FileManager.default.fileExists(atPath: home.appending(path: "history.sqlite").path))
print("CustomStore: \(StoreCheck.allCases.count) rules kept; '\(note.text)' outlived a restart in \(text.utf8.count) B")
