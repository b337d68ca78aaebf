import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

@Suite("Passphrases")
struct PassphraseTests {
    /// The passphrase before a change.
    private static let before = "old horse"
    private static let after = "new horse"

    @Test(
        "A passphrase is set, changed and removed; only the present one opens the home, and a wrong one changes nothing"
    )
    func changes() async throws {
        let home = try VaultHome()
        let id = try await home.make()
        try await home.change(from: nil, to: Self.before)
        #expect(try home.keyFiles() == ["vault.bin"])
        #expect(try await home.opens(with: nil) == .locked)
        #expect(try await home.opens(with: Self.before) == nil)

        let vault = try Data(contentsOf: home.file("vault.bin"))
        for refused in [
            ("no horse", Self.after), ("no horse", nil), (nil, Self.after), (Self.before, ""),
        ] as [(String?, String?)] {
            let error = await #expect(throws: ChatError.self) {
                try await home.change(from: refused.0, to: refused.1, Self.before)
            }
            #expect([.locked, .hasPassphrase, .badPassphrase].contains(error?.code))
            #expect(try Data(contentsOf: home.file("vault.bin")) == vault)
        }
        try await home.change(from: Self.before, to: Self.after, Self.before)
        #expect(try await home.opens(with: Self.before) == .locked)
        #expect(try await home.opens(with: Self.after) == nil)

        try await home.change(from: Self.after, to: nil, Self.after)
        #expect(try home.keyFiles() == ["key.bin"])
        #expect(try await home.open { await $0.status.id } == id)
        let error = await #expect(throws: ChatError.self) { try await home.change(from: Self.after, to: nil) }
        #expect(error?.code == .noPassphrase)
    }

    @Test("What is set or changed by a home that no node has open counts as well")
    func closedHome() async throws {
        let home = try VaultHome()
        try await home.make()
        try ChatNode.changeKey(from: .keyFile, to: .passphrase(Self.before), at: home.directory)
        #expect(try await home.opens(with: Self.before) == nil)
        let empty = home.directory.appending(path: "elsewhere")
        let error = #expect(throws: ChatError.self) {
            try ChatNode.changeKey(from: .keyFile, to: .passphrase("x"), at: empty)
        }
        #expect(error?.code == .noIdentity)
        #expect(!FileManager.default.fileExists(atPath: empty.path))
    }

    @Test("Wherever a change is cut off the home opens with the old or with the new passphrase", arguments: Cut.all)
    func cutOff(_ cut: Cut) async throws {
        let home = try VaultHome()
        let id = try await home.make()
        let key = try MasterKey(keyFile: SecretBytes(copying: try Data(contentsOf: home.file("key.bin"))))
        if let old = cut.old {
            try KeyChange(of: key, to: Home.Key(passphrase: old), cost: .small).steps.perform(in: home.directory)
        }
        let steps = try KeyChange(of: key, to: Home.Key(passphrase: cut.new), cost: .small).steps
        try Array(steps.prefix(cut.stepCount)).perform(in: home.directory)
        var opened: [PeerID] = []
        for passphrase in [cut.old, cut.new] where try await home.opens(with: passphrase) == nil {
            opened.append(try await home.open(passphrase: passphrase) { await $0.status.id })
        }
        #expect(opened.contains(id))
        // The first opening removes the files that the change left behind. Only one of the two key files remains.
        let isVault = cut.new == nil ? cut.stepCount < 3 : cut.old != nil || cut.stepCount > 1
        #expect(try home.keyFiles() == [isVault ? "vault.bin" : "key.bin"])
    }

    /// The point at which a change from one protection to another is cut off.
    struct Cut: Sendable, CustomTestStringConvertible {
        let old: String?
        let new: String?
        let stepCount: Int

        var testDescription: String { "\(old ?? "-") to \(new ?? "-") after \(stepCount) steps" }

        private static let changes: [(old: String?, new: String?)] = [
            (nil, PassphraseTests.after), (PassphraseTests.before, PassphraseTests.after),
            (PassphraseTests.before, nil),
        ]
        static let all = changes.flatMap { change in
            (0...4).map { Cut(old: change.old, new: change.new, stepCount: $0) }
        }
    }
}

/// A data directory whose passphrases are cheap to try.
struct VaultHome: Sendable {
    let home: TestHome
    var directory: URL { home.directory }

    init() throws { home = try TestHome() }

    /// Makes an identity in the data directory.
    @discardableResult
    func make() async throws -> PeerID {
        try await open(name: "Alice") { await $0.status.id }
    }

    /// Opens the data directory, runs `body`, and stops the node.
    func open<Value: Sendable>(
        name: String? = nil,
        passphrase: String? = nil,
        _ body: (ChatNode) async throws -> Value
    ) async throws -> Value {
        let node = try await node(name: name, passphrase: passphrase)
        do {
            let value = try await body(node)
            await node.stop()
            return value
        } catch {
            await node.stop()
            throw error
        }
    }

    /// Opens a node on the data directory, and makes it if there is none.
    func node(name: String? = nil, passphrase: String? = nil, mesh: MeshOptions = MeshOptions()) async throws(ChatError)
        -> ChatNode
    {
        var settings = ChatConfiguration(mesh: mesh)
        settings.passphraseCost = .small
        let place = Home.directory(directory, key: Home.Key(passphrase: passphrase))
        return try await ChatNode.open(place, orCreate: name, settings)
    }

    /// Returns the code of the error with which the data directory refuses to open; nil if it opens.
    func opens(with passphrase: String?) async throws -> ChatError.Code? {
        try await home.refusal(passphrase: passphrase)?.code
    }

    /// Changes the passphrase of the open data directory.
    func change(from old: String?, to new: String?, _ passphrase: String? = nil) async throws {
        try await open(passphrase: passphrase) { node in
            try await node.changeKey(from: Home.Key(passphrase: old), to: Home.Key(passphrase: new))
        }
    }

    func file(_ name: String) -> URL { home.file(name) }

    /// Returns the names of the files that hold the key.
    func keyFiles() throws -> [String] {
        try home.files().keys.filter { $0.hasPrefix("vault.bin") || $0.hasPrefix("key.bin") }.sorted()
    }
}
