import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Files of a data directory that are lost, cut or from another data directory.
///
/// The node reports each one with the action to take, and overwrites none.
@Suite("Unusable files of a home", .timeLimit(.minutes(30)))
struct UnusableHomeTests {
    private func makeHome(_ name: String = "Alice") async throws -> TestHome {
        let home = try TestHome()
        try await home.open(name: name) { _ in }
        return home
    }

    private func expectRefusal(_ code: ChatError.Code, _ home: TestHome, _ what: String) async throws {
        let before = try home.files()
        for name in [nil, "Mallory"] {
            let error = try await home.refusal(name: name)
            #expect(error?.code == code, "\(what): \(String(describing: error))")
        }
        let after = try home.files()
        for (name, bytes) in before where name != "lock" { #expect(after[name] == bytes, "\(what): \(name)") }
    }

    @Test("Where the history is missing or empty no other is begun, for the anchor tells of it", arguments: [nil, 0])
    func lostHistory(byteCount: Int?) async throws {
        let home = try await makeHome()
        try FileManager.default.removeItem(at: home.file("history.sqlite"))
        if let byteCount { try Data(count: byteCount).write(to: home.file("history.sqlite")) }
        try await expectRefusal(.homeCorrupt, home, "\(String(describing: byteCount))")
        #expect(FileManager.default.fileExists(atPath: home.file("history.sqlite").path) == (byteCount != nil))
    }

    @Test("The history of another home beside the key is refused, and the right one opens again")
    func foreignHistory() async throws {
        let (home, other) = (try await makeHome(), try await makeHome("Bob"))
        let own = try Data(contentsOf: home.file("history.sqlite"))
        let theirs = try Data(contentsOf: other.file("history.sqlite"))
        try home.change("history.sqlite") { $0 = [UInt8](theirs) }
        try await expectRefusal(.homeCorrupt, home, "foreign")
        try home.change("history.sqlite") { $0 = [UInt8](own) }
        #expect(try await home.refusal() == nil)
    }

    @Test("A folder in the place of a file is refused", arguments: ["history.sqlite", "key.bin", "anchor"])
    func folder(name: String) async throws {
        let home = try await makeHome()
        try FileManager.default.removeItem(at: home.file(name))
        try FileManager.default.createDirectory(at: home.file(name), withIntermediateDirectories: false)
        try home.setMode(0o700, of: home.file(name))
        try await expectRefusal(.homeUnusable, home, name)
    }

    @Test("A key file of which any byte was changed, or the end is missing, is refused, and nothing is written")
    func key() async throws {
        let home = try await makeHome()
        let key = [UInt8](try Data(contentsOf: home.file("key.bin")))
        for index in stride(from: 0, to: key.count, by: 3) {
            try home.change("key.bin") { $0[index] ^= 0x40 }
            try await expectRefusal(.homeCorrupt, home, "byte \(index)")
            try home.change("key.bin") { $0 = Array(key.prefix(index)) }
            try await expectRefusal(.homeCorrupt, home, "\(index) bytes")
            try home.change("key.bin") { $0 = key }
        }
        try home.change("key.bin") { $0 = [UInt8](repeating: 7, count: 100_000) }
        try await expectRefusal(.homeCorrupt, home, "too long")
        try home.change("key.bin") { $0 = key }
        #expect(try await home.refusal() == nil)
    }

    @Test("A vault of which any part but its cost was changed opens with no passphrase, and says why")
    func vault() async throws {
        let home = try TestHome()
        var settings = ChatConfiguration()
        settings.passphraseCost = .small
        let place = Home.directory(home.directory, key: .passphrase("horse"))
        try await ChatNode.create(name: "Alice", in: place, settings).stop()
        let vault = [UInt8](try Data(contentsOf: home.file("vault.bin")))
        let before = try home.files()
        // The salt and the commitment distinguish the right passphrase from a wrong one. Damage there looks like a
        // wrong passphrase.
        let places: [(Int, ChatError.Code)] = [
            (0, .homeCorrupt), (8, .homeNewer), (20, .locked), (50, .locked), (40, .locked), (100, .homeCorrupt),
        ]
        for (index, code) in places {
            try home.change("vault.bin") { $0[index] ^= 0x40 }
            let error = try await home.refusal(passphrase: "horse")
            #expect(error?.code == code || index == 40 && error?.code == .homeCorrupt, "byte \(index)")
            try home.change("vault.bin") { $0 = vault }
        }
        for count in [0, 7, 60, 124] {
            try home.change("vault.bin") { $0 = Array(vault.prefix(count)) }
            #expect(try await home.refusal(passphrase: "horse")?.code == .homeCorrupt, "\(count) bytes")
            try home.change("vault.bin") { $0 = vault }
        }
        #expect(try home.files().filter { $0.key != "lock" } == before.filter { $0.key != "lock" })
    }

    @Test("Whatever is changed of the anchor is told, and the history stays usable")
    func anchor() async throws {
        let home = try await makeHome()
        let anchor = [UInt8](try Data(contentsOf: home.file("anchor")))
        var damaged = stride(from: 0, to: anchor.count, by: 9).map { index in
            var bytes = anchor
            bytes[index] ^= 0x10
            return bytes
        }
        damaged += [[], Array(anchor.prefix(40)), anchor + [0], [UInt8](repeating: 0xFF, count: 5_000)]
        for bytes in damaged {
            let copy = try TestHome(copying: try home.files())
            try copy.change("anchor") { $0 = bytes }
            let signs = try await copy.open { try await $0.history.check().signs.map(\.kind) }
            #expect(signs == [.anchorDamaged], "\(bytes.count) bytes")
        }
    }

    @Test("What the mesh carried may end in anything; what is no log at all is told, and stays as it is")
    func meshLog() async throws {
        let home = try TestHome()
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        func start() async throws {
            let node = try await LiveNode("Alice", mesh, home: .directory(home.directory))
            try await withRunning(node) {
                let report = try await node.node.history.check()
                #expect(report.signs.isEmpty)
            }
        }
        try await start()
        for count in [1, 100, 5_000] {
            try home.change("mesh.log") { $0 += FileScene.bytes(count) }
            try await start()
        }
        let bytes = FileScene.bytes(5_000)
        try home.change("mesh.log") { $0 = bytes }
        let error = try await #require(throws: ChatError.self) { try await start() }
        #expect(error.code == .meshUnavailable && error.reason.contains("mesh.log"))
        #expect(try home.files()["mesh.log"] == Data(bytes))
        #expect(try await home.refusal() == nil)
    }
}
