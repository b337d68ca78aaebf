import ChatCrypto
import ChatHistory
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Restoring of an identity that is cut off", .timeLimit(.minutes(30)))
struct RestoringCutOffTests {
    /// The files that a crash has left in the data directory.
    enum Rest: String, CaseIterable, Sendable {
        case mark, unfinishedKey, key, emptyHistory, newHistory, sums, all
    }

    private func restore(_ backup: [UInt8], _ home: TestHome) async throws(ChatError) -> ChatNode {
        try await ChatNode.restore(backup, passphrase: "horse", in: .directory(home.directory))
    }

    private func leave(_ rest: Rest, of files: [String: Data]) throws -> TestHome {
        let wanted: Set<String> =
            switch rest {
            case .mark, .unfinishedKey: []
            case .key, .emptyHistory, .newHistory, .sums: ["key.bin"]
            case .all: Set(files.keys)
            }
        let home = try TestHome(copying: files.filter { wanted.contains($0.key) })
        try Data().write(to: home.file("restoring"))
        switch rest {
        case .unfinishedKey: try files["key.bin"]?.write(to: home.file("key.bin.new"))
        case .emptyHistory: try Data().write(to: home.file("history.sqlite"))
        case .newHistory, .sums:
            let store = try SQLiteStore(directory: home.directory.path)
            if rest == .sums {
                let key = try MasterKey(keyFile: SecretBytes(copying: [UInt8](try #require(files["key.bin"]))))
                let seals = RecordSeals(masterKey: key, databaseID: store.databaseID)
                let recordStore = RecordStore(store: store, keys: seals)
                #expect(try !recordStore.startWatching(anchor: AnchorFile(directory: home.directory.path)))
                try recordStore.takeOver(isMissing: false)
            }
            try store.close()
        case .mark, .key, .all: break
        }
        return home
    }

    @Test("Wherever it is cut off, the home has the restored identity or takes it again, and makes no other")
    func cutOff() async throws {
        let old = try TestHome()
        var settings = ChatConfiguration()
        settings.passphraseCost = .small
        let alice = try await ChatNode.create(name: "Alice", in: .directory(old.directory), settings)
        let id = await alice.status.id
        let backup = try await alice.identity.backUp(passphrase: "horse")
        await alice.stop()
        let whole = try TestHome()
        try await restore(backup, whole).stop()
        let files = try whole.files()
        #expect(files["restoring"] == nil)
        for rest in Rest.allCases {
            let home = try leave(rest, of: files)
            for name in [nil, "Mallory"] where rest != .all {
                #expect(try await home.refusal(name: name)?.code == .restoring, "\(rest)")
            }
            if rest != .all { try await restore(backup, home).stop() }
            #expect(try await home.open { await $0.status.id } == id, "\(rest)")
            #expect(try home.files()["restoring"] == nil, "\(rest)")
            await #expect(throws: ChatError.self, "\(rest)") { try await restore(backup, home) }
        }
    }
}
