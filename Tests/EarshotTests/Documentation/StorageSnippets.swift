import Earshot
import Foundation

// The snippets of Storage.md, compiled without changes: one function each.

func storageOpens(_ directory: URL, _ passphrase: String) async throws {
    let inMemory = try await ChatNode.create(name: "Alice")
    let sealed = try await ChatNode.create(name: "Alice", in: .directory(directory, key: .passphrase(passphrase)))
    await inMemory.stop()
    await sealed.stop()
}

func storageTakesKeys(_ directory: URL, _ bytes: [UInt8]) async throws {
    let key = SecretBytes(copying: bytes)
    let node = try await ChatNode.open(.directory(directory, key: .provided(key)))
    try await node.start()
}

func storageChangesKeys(_ node: ChatNode, _ old: String, _ new: String) async throws {
    try await node.changeKey(from: .passphrase(old), to: .passphrase(new))
}

func storageLocks(_ node: ChatNode, _ passphrase: String) async throws {
    try await node.lock()
    try await node.unlock(.passphrase(passphrase))
}

func storageKeeps(_ node: ChatNode, _ conversation: ConversationHandle) async throws {
    try await node.history.setRetention(Retention(age: .seconds(90 * 86_400)))
    try await conversation.setRetention(Retention(messageCount: 1_000))
}

func storageErases(_ node: ChatNode, _ conversation: ConversationHandle) async throws {
    try await conversation.erase()
    try await node.destroy()
}

func storageSearches(_ node: ChatNode, _ bob: Contact) async throws {
    var query = SearchQuery("oak tre", limit: 20)
    query.conversation = .direct(bob.id)
    for hit in try await node.history.search(query).hits {
        print(hit.message.text)
    }
}

func storageExports(_ node: ChatNode, _ other: ChatNode, _ file: URL, _ passphrase: String) async throws {
    let written = try await node.history.export(to: file, ExportOptions(.jsonl, passphrase: passphrase))
    print("\(written.messageCount) messages were written")
    let report = try await other.history.importArchive(from: file, passphrase: passphrase)
    print("\(report.addedCount) messages were added")
}

func storageBacksUp(_ node: ChatNode, _ directory: URL, _ passphrase: String) async throws {
    let backup = try await node.identity.backUp(passphrase: passphrase)
    await node.stop()
    let restored = try await ChatNode.restore(backup, passphrase: passphrase, in: .directory(directory))
    try await restored.start()
}

func storageRescues(_ directory: URL, _ passphrase: String, _ file: URL) async throws {
    let rescue = try HistoryRescue(home: directory, key: .passphrase(passphrase))
    try await rescue.export(to: file, ExportOptions(.html))
}
