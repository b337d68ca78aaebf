import ArgumentParser
import ChatCrypto
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

    @Test("A proxy holds for all hubs, those added later too, until it is taken away")
    func proxy() throws {
        let folder = try TemporaryFolder()
        var list = try Self.list(folder)
        _ = try list.add(HubURL("tls://first.example.org"))
        try list.setProxy(HubProxy("socks5://127.0.0.1:9050"))
        _ = try list.add(HubURL("nats://club:word@abcd.onion"))
        let restored = try Self.list(folder)
        #expect(restored.hubs.map(\.text) == ["tls://first.example.org", "nats://abcd.onion"])
        #expect(restored.hubs.map { $0.proxy?.text } == ["socks5://127.0.0.1:9050", "socks5://127.0.0.1:9050"])
        #expect(try restored.adding([HubURL("tls://third.example.org")]).count == 3)
        list = restored
        try list.setProxy(nil)
        #expect(try Self.list(folder).hubs.allSatisfy { $0.proxy == nil })
        // A slip in the line of the proxy is no direct connection.
        for line in ["proxy", "proxy 127.0.0.1:9050", "proxi socks5://127.0.0.1:9050", "proxy socks5://a:1 b"] {
            try Data("tls://first.example.org\n\(line)\n".utf8).write(to: URL(filePath: folder.path("home/hubs")))
            #expect(throws: CommandFailure.self) { try Self.list(folder) }
        }
    }

    @Test("Lines may end as on other systems; a comment hides no line behind it")
    func lineEnds() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: true)
        let text = "# ours\r\nproxy socks5://127.0.0.1:9050\r\n\r\ntls://a.example.org\r\n"
        try Data(text.utf8).write(to: URL(filePath: folder.path("home/hubs")))
        let list = try Self.list(folder)
        #expect(list.hubs.map(\.text) == ["tls://a.example.org"] && list.hubs.allSatisfy { $0.proxy != nil })
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

    @Test("After its last hub is removed the list is empty, and takes others")
    func emptied() throws {
        let folder = try TemporaryFolder()
        var list = try Self.list(folder)
        #expect(try list.add(HubURL("tls://a.example.org")))
        try list.remove("a.example.org")
        list = try Self.list(folder)
        #expect(list.hubs.isEmpty)
        #expect(try list.add(HubURL("tls://b.example.org")))
    }

    @Test("A new hub in a link is joined after the user has agreed, and not before")
    func link() async throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (folder.path("mine"), folder.path("theirs"))
        for (home, name) in [(mine, "Alice"), (theirs, "Bob")] {
            let made = try await EarshotProcess.run(["--home", home, "init", "--no-passphrase", "--name", name])
            #expect(made.status == 0, "\(made)")
        }
        let address = "tls://Club:S%40crEt@127.0.0.1:1"
        try Data((address + "\n").utf8).write(to: URL(filePath: mine + "/hubs"))
        let plain = try await EarshotProcess.run(["--home", mine, "--json", "identity", "--far"])
        #expect(plain.status == 0 && plain.output.contains("tls%3A%2F%2F127.0.0.1%3A1"), "\(plain)")
        #expect(!plain.output.contains("crEt"))
        let shown = try await EarshotProcess.run(["--home", mine, "--quiet", "identity", "--far", "--with-login"])
        let link = try #require(shown.output.split(separator: "\n").first { $0.hasPrefix("earshot:") })
        #expect(shown.status == 0 && IdentityCode(String(link))?.hubs == [address], "\(shown)")
        let hubs = URL(filePath: theirs + "/hubs")
        let send = ["--home", theirs, "send", "--interface", "lo", String(link), "hello"]
        let unasked = try await EarshotProcess.run(send)
        #expect(unasked.status == 64 && unasked.errors.contains("127.0.0.1:1"), "\(unasked)")
        #expect(!unasked.errors.contains("crEt") && !FileManager.default.fileExists(atPath: hubs.path))
        let sent = try await EarshotProcess.run(send + ["--yes"])
        #expect(sent.status == 0, "\(sent)")
        #expect(try String(contentsOf: hubs, encoding: .utf8) == address + "\n")
        let waiting = try await EarshotProcess.run(["--home", theirs, "--json", "history", "show", String(link)])
        #expect(waiting.output.contains("hello"), "\(waiting)")
        let ended = try await EarshotProcess.run(["--home", mine, "--json", "identity", "--end-far"])
        #expect(ended.output == #"{"ended":2}"# + "\n", "\(ended)")
    }
}
