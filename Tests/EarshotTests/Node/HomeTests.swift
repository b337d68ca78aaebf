import ChatHistory
import Foundation
import Synchronization
import Testing

@testable import ChatCore
@testable import Earshot

@Suite("Homes")
struct HomeTests {
    @Test("A home that a node owns is refused with the number of the process, and free once the node stops")
    func inUse() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in
            let error = try #require(try await home.refusal(name: "Alice"))
            #expect(error.code == .homeInUse)
            #expect(error.reason.contains("process \(ProcessInfo.processInfo.processIdentifier) "))
        }
        #expect(try await home.refusal() == nil)
    }

    @Test("A home with a passphrase opens with that passphrase alone")
    func passphrase() async throws {
        let home = try TestHome()
        let id = try await home.open(name: "Alice", passphrase: "correct horse") { await $0.status.id }
        let files = try home.files()
        #expect(files.keys.sorted() == ["anchor", "history.lock", "history.sqlite", "lock", "vault.bin"])
        #expect(try await home.refusal()?.code == .locked)
        #expect(try await home.refusal(passphrase: "wrong horse")?.code == .locked)
        #expect(try home.files() == files)
        #expect(try await home.open(passphrase: "correct horse") { await $0.status.id } == id)

        try home.change("vault.bin") { $0[0] ^= 1 }
        #expect(try await home.refusal(passphrase: "correct horse")?.code == .homeCorrupt)
        try home.change("vault.bin") { bytes in
            bytes[0] ^= 1
            bytes[8] = 9
        }
        #expect(try await home.refusal(passphrase: "correct horse")?.code == .homeNewer)
        try home.change("vault.bin") { $0[8] = 1 }
        try home.change("vault.bin") { $0.removeLast() }
        #expect(try await home.refusal(passphrase: "correct horse")?.code == .homeCorrupt)
    }

    @Test("A program's own store takes SQLite's place, and it is told if it does not open or has lost everything")
    func ownStore() async throws {
        let home = try TestHome()
        let place = Home.directory(home.directory)
        var configuration = ChatConfiguration()
        configuration.openStore = { _ throws(StoreError) in throw StoreError(.diskFull) }
        let full = configuration
        await #expect(throws: ChatError.self) { try await ChatNode.open(place, orCreate: "Alice", full) }
        let opened = Mutex<[URL]>([])
        configuration.openStore = { directory throws(StoreError) in
            opened.withLock { $0.append(directory) }
            return MemoryStore()
        }
        let node = try await ChatNode.create(name: "Alice", in: place, configuration)
        #expect(await node.status.name == "Alice")
        _ = try await node.conversations.createGroup(title: "Notes")
        await node.stop()
        #expect(opened.withLock { $0 } == [home.directory])
        #expect(try home.files()["history.sqlite"] == nil)
        // This store forgets everything, and the rollback anchor detects it.
        let forgetful = configuration
        let error = await #expect(throws: ChatError.self) {
            try await ChatNode.open(place, orCreate: "Alice", forgetful)
        }
        #expect(error?.code == .homeCorrupt)
    }

    @Test("A damaged or newer home is refused with what to do, and stays byte for byte as it is", arguments: Damage.all)
    func damage(_ damage: Damage) async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        try home.change(damage.file, damage.change)
        let before = try home.files()
        let error = try #require(try await home.refusal(name: "Alice"))
        #expect(error.code == damage.code)
        #expect(error.reason.hasSuffix("."))
        let after = try home.files()
        for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
    }

    @Test("A home of another user is refused")
    func owner() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        try NodeHome.checkPrivate(home.directory)
        let refusal = #expect(throws: ChatError.self) {
            try NodeHome.checkPrivate(home.directory, user: geteuid() + 1)
        }
        #expect(refusal?.code == .homeUnusable && refusal?.reason.contains("another user") == true)
    }

    @Test("A home that others may look into is refused with the command that helps")
    func privacy() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        try home.setMode(0o750, of: home.directory)
        let directory = try #require(try await home.refusal())
        #expect(directory.code == .homeUnusable)
        #expect(directory.reason.contains("chmod 700"))
        try home.setMode(0o700, of: home.directory)
        try home.setMode(0o640, of: home.file("key.bin"))
        let key = try #require(try await home.refusal())
        #expect(key.code == .homeUnusable)
        #expect(key.reason.contains("chmod 600"))
        try home.setMode(0o600, of: home.file("key.bin"))
        #expect(try await home.refusal() == nil)
    }

    @Test("What a node makes can be read by its owner alone")
    func modes() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        for path in [home.directory] + (try home.files().keys.map { home.file($0) }) {
            let mode = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? NSNumber
            #expect((mode?.intValue ?? 0o777) & 0o077 == 0, "\(path.lastPathComponent)")
        }
    }

    @Test("Without a name no identity is made, and a name that is none makes no home")
    func names() async throws {
        let home = try TestHome()
        #expect(try await home.refusal(name: "")?.code == .badName)
        #expect(!FileManager.default.fileExists(atPath: home.directory.path))
        #expect(try await home.refusal()?.code == .noIdentity)
        #expect(try home.files().keys.sorted() == ["lock"])
        let nameless = await #expect(throws: ChatError.self) { try await ChatNode.open(.memory) }
        #expect(nameless?.code == .noIdentity)
    }

    @Test("A history without its key is not begun anew")
    func lostKey() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        try FileManager.default.removeItem(at: home.file("key.bin"))
        let before = try home.files()
        #expect(try await home.refusal(name: "Alice")?.code == .homeCorrupt)
        #expect(try home.files() == before)
    }

    @Test("A home whose making was cut off after the key is finished")
    func cutOff() async throws {
        let home = try TestHome()
        try await home.open(name: "Alice") { _ in }
        for name in ["history.sqlite", "anchor"] { try FileManager.default.removeItem(at: home.file(name)) }
        #expect(try await home.refusal()?.code == .noIdentity)
        #expect(try await home.open(name: "Alice") { await $0.status.name } == "Alice")
        #expect(try await home.refusal() == nil)
    }

    @Test("Settings that cannot be leave the home free", arguments: [["nowhere"], []])
    func badSettings(groups: [String]) async throws {
        let home = try TestHome()
        var mesh = MeshOptions()
        mesh.discoveryGroups = groups
        if groups.isEmpty { mesh.carriers = ["nowhere"] }
        let configuration = ChatConfiguration(mesh: mesh)
        let place = Home.directory(home.directory)
        let error = await #expect(throws: ChatError.self) {
            try await ChatNode.create(name: "Alice", in: place, configuration)
        }
        #expect(error?.code == .meshUnavailable)
        #expect(try await home.refusal(name: "Alice") == nil)
    }
}

/// A damage to a file of a data directory.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let code: ChatError.Code
    let change: @Sendable (inout [UInt8]) -> Void

    static let all = [
        Damage(testDescription: "no key", file: "key.bin", code: .homeCorrupt) { $0 = [] },
        Damage(testDescription: "short key", file: "key.bin", code: .homeCorrupt) { $0.removeLast() },
        Damage(testDescription: "another key", file: "key.bin", code: .homeCorrupt) { $0[20] ^= 1 },
        Damage(testDescription: "no database", file: "history.sqlite", code: .homeCorrupt) { $0[0] ^= 1 },
        Damage(testDescription: "half a history", file: "history.sqlite", code: .homeCorrupt) {
            $0.removeLast($0.count / 2)
        },
        Damage(testDescription: "spoilt pages", file: "history.sqlite", code: .homeCorrupt) { bytes in
            for index in stride(from: 4_096, to: bytes.count, by: 64) { bytes[index] ^= 0x55 }
        },
        // SQLite keeps the application's version at offset 60.
        Damage(testDescription: "newer history", file: "history.sqlite", code: .homeNewer) { $0[63] = 99 },
    ]
}
