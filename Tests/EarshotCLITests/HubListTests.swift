import ArgumentParser
import Foundation
import GatewayCore
import Testing

@testable import EarshotCLI

@Suite("The hubs of a data directory")
struct HubListTests {
    private static func home(_ folder: TemporaryFolder) throws -> HomeDirectory {
        HomeDirectory(try GlobalOptions.parse(["--home", folder.path("home")]))
    }

    private static func list(_ folder: TemporaryFolder) throws -> HubList { try HubList(in: home(folder)) }

    @Test("Hubs are kept with their logins in a file that only its owner can read, and shown without")
    func keeps() throws {
        let folder = try TemporaryFolder()
        var list = try Self.list(folder)
        #expect(try list.add(HubURL("tls://club:p%20w@hub.example.org")))
        #expect(try list.add(HubURL("nats://10.0.0.5:4333")))
        #expect(try !list.add(HubURL("tls://club:other@hub.example.org")))
        let restored = try Self.list(folder)
        #expect(restored.hubs.map(\.text) == ["nats://10.0.0.5:4333", "tls://hub.example.org"])
        #expect(restored.hubs.last?.user == "club" && restored.hubs.last?.password == "other")
        let file = folder.path("home/hubs")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!FileManager.default.fileExists(atPath: file + ".new"))
        list = restored
        try list.remove("hub.example.org")
        #expect(try Self.list(folder).hubs.map(\.text) == ["nats://10.0.0.5:4333"])
        #expect(throws: CommandFailure.self) { try list.remove("hub.example.org") }
    }

    @Test("Passwords of any characters come back as they were")
    func passwords() throws {
        let folder = try TemporaryFolder()
        var hub = try HubURL("tls://club@[fd00::1]:4333")
        hub.password = "a:b@c/d?e#f%20 é\"'"
        var list = try Self.list(folder)
        #expect(try list.add(hub))
        #expect(try Self.list(folder).hubs == [hub])
    }

    @Test("A hub that others can read on the way is kept only as one that the user allowed")
    func clearText() throws {
        let folder = try TemporaryFolder()
        var list = try Self.list(folder)
        #expect(try list.add(HubURL("nats://hub.example.org", allowsClearText: true)))
        #expect(try Self.list(folder).hubs.map(\.text) == ["nats://hub.example.org"])
        let file = URL(filePath: folder.path("home/hubs"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "nats://hub.example.org:4222 insecure\n")
        for text in ["nats://hub.example.org\n", "nats://hub.example.org secure\n", "hub\n", "\u{0}\n"] {
            try Data(text.utf8).write(to: file)
            #expect(throws: CommandFailure.self, "\(text)") { try Self.list(folder) }
        }
        try Data("# mine\n\ntls://a.example.org\n".utf8).write(to: file)
        #expect(try Self.list(folder).hubs.map(\.text) == ["tls://a.example.org"])
    }

    @Test("A node has four hubs at most, however they are named, and a file beyond its size is not read")
    func limits() throws {
        let folder = try TemporaryFolder()
        var list = try Self.list(folder)
        for name in ["a", "b", "c"] { #expect(try list.add(HubURL("tls://\(name).example.org"))) }
        let given = try [HubURL("tls://a.example.org"), HubURL("tls://d.example.org")]
        #expect(try list.adding(given).count == 4)
        let login = try HubURL("tls://club:other@a.example.org")
        #expect(try list.adding([login]).filter { $0.host == "a.example.org" } == [login])
        #expect(throws: CommandFailure.self) { try list.adding(given + [HubURL("tls://e.example.org")]) }
        #expect(try list.add(HubURL("tls://d.example.org")))
        #expect(throws: CommandFailure.self) { try list.add(HubURL("tls://e.example.org")) }
        #expect(try Self.list(folder).hubs.count == 4)
        try Data(repeating: UInt8(ascii: "#"), count: 4_097).write(to: URL(filePath: folder.path("home/hubs")))
        #expect(throws: CommandFailure.self) { try Self.list(folder) }
    }
}
