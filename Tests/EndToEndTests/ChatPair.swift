import Foundation
import Testing

/// Alice, who uses a terminal, and the node of Bob, on the loopback interface.
struct ChatPair {
    let folder: TemporaryFolder
    let group: String
    let bob: NodeProcess
    var aliceHome: String { folder.url.appending(path: "Alice").path }

    static func start() async throws -> ChatPair {
        let folder = try TemporaryFolder()
        let group = NodeProcess.randomGroup()
        for name in ["Alice", "Bob"] {
            let home = folder.url.appending(path: name)
            let made = try Command.run([
                Command.earshot, "--home", home.path, "init", "--name", name, "--no-passphrase",
            ])
            try #require(made.status == 0, "\(made.errors)")
        }
        let bob = try node("Bob", folder, group)
        // Bob misses contacts that arrive before he listens to his events.
        _ = try await bob.ready()
        return ChatPair(folder: folder, group: group, bob: bob)
    }

    static func node(_ name: String, _ folder: TemporaryFolder, _ group: String) throws -> NodeProcess {
        let home = folder.url.appending(path: name)
        let options = NodeProcess.loopback(group) + ["--typing", "--read-receipts"]
        return try NodeProcess(name, home: home, options)
    }

    /// The command of Alice, which is a node itself if no node runs on her home.
    func chat(_ arguments: String...) -> [String] {
        [Command.earshot, "--home", aliceHome, "chat", "--interface", "lo", "--discovery", group, "--typing"]
            + arguments
    }

    /// Sends Bob's first message, makes Alice accept him and open the conversation, and returns her id.
    func meet(at terminal: Terminal) async throws -> String {
        try await terminal.shows("── /dm WHO to talk", "\n>")
        let contact = try await bob.event("Alice") { $0["contact"]?["name"]?.string == "Alice" }
        let alice = try #require(contact["contact"]?["id"]?.string)
        try await bob.send("Hello 語 👋", to: alice)
        try await terminal.shows("Bob, who is not in your contacts, wants to talk", "unread: Bob 1")
        try await terminal.type("/trust acc\tBob\r")
        try await terminal.shows("Bob is accepted, but not verified.")
        try await terminal.type("/dm Bo\t\r")
        try await terminal.shows("── Bob ──", "   1 │ Hello 語 👋", "Bob>")
        return alice
    }
}
