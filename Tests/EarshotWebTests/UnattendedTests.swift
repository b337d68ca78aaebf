import Earshot
import Foundation
import Testing

@Suite("A page that nobody uses", .timeLimit(.minutes(30)))
struct UnattendedTests {
    /// The methods that the page calls by itself, at intervals and at events such as contacts that come and go.
    private static let asked = ["status", "contacts", "conversations", "groups", "rooms", "profile"]

    @Test("A page that is only looked at does not keep its node open")
    func locks() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "earshot-unattended-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let span = Duration.milliseconds(300)
        try await WebTrial.run(home: .directory(home), passphrase: "p", autoLock: span) { trial in
            let socket = try await SocketClient(trial)
            try await trial.node.start()
            // Many more requests than fit into the time of the lock; each would restart that time if it counted as
            // use.
            for number in 0..<4_000 {
                let method = Self.asked[number % Self.asked.count]
                try await socket.say(#"{"jsonrpc":"2.0","method":"\#(method)","id":\#(number)}"#)
                _ = await socket.text(with: #""id":\#(number),"#)
                if await trial.node.isLocked { return }
            }
            Issue.record("The node did not lock itself.")
        }
    }
}
