import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The page as a command serves it", .timeLimit(.minutes(30)))
struct WebCommandTests {
    private static let mesh = ["--no-multicast", "--interface", EarshotProcess.loopback]

    /// Sends a request to an address and returns the status of the answer.
    private static func status(_ address: String, _ method: String = "GET", body: String? = nil) async throws -> Int {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let origin = address.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        request.setValue(origin, forHTTPHeaderField: "Origin")
        let (_, answer) = try await URLSession(configuration: .ephemeral).data(for: request)
        return (answer as? HTTPURLResponse)?.statusCode ?? 0
    }

    /// Splits the address that a command prints.
    private static func parts(_ output: String) throws -> (page: String, token: String) {
        let match = try #require(output.firstMatch(of: /(http:\/\/127\.0\.0\.1:\d+\/)#([0-9a-f]{64})/))
        return (String(match.output.1), String(match.output.2))
    }

    @Test("Beside a running node the command has it serve the page, and prints an address that opens it once")
    func besideNode() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let node = try await RunningProcess(home: home, ["--no-multicast"])
        let first = try await EarshotProcess.run(["--home", home, "--json", "web", "--port", "0"])
        #expect(first.status == 0)
        let reply = try JSONDecoder().decode([String: String].self, from: Data(first.output.utf8))
        #expect(Array(reply.keys) == ["url"])
        let second = try await EarshotProcess.run(["--home", home, "web"])
        let addresses = [try Self.parts(first.output), try Self.parts(second.output)]
        #expect(second.output == "\(addresses[1].page)#\(addresses[1].token)\n")
        #expect(addresses[0].page == addresses[1].page)
        #expect(addresses[0].token != addresses[1].token)
        #expect(try await Self.status(addresses[0].page) == 200)
        for address in addresses {
            #expect(try await Self.status(address.page + "session", "POST", body: address.token) == 200)
            #expect(try await Self.status(address.page + "session", "POST", body: address.token) == 401)
        }
        try node.closeInput()
        #expect(await node.end() == 0)
        await #expect(throws: (any Error).self) { try await Self.status(addresses[0].page) }
        await node.client.close()
    }

    @Test("With --web a node serves the page from the beginning, and tells where", arguments: ["--web", "--web=0"])
    func nodeWithPage(option: String) async throws {
        let folder = try TemporaryFolder()
        let errors = URL(filePath: folder.path("errors"))
        try Data().write(to: errors)
        let node = try await RunningProcess(
            home: folder.path("home"),
            ["--no-multicast", option],
            errors: try FileHandle(forWritingTo: errors)
        )
        let address = try Self.parts(try String(contentsOf: errors, encoding: .utf8))
        #expect(try await Self.status(address.page) == 200)
        #expect(try await node.client.call(PageCall()).url.hasPrefix(address.page))
        try node.closeInput()
        #expect(await node.end() == 0)
        await node.client.close()
    }

    @Test("A port that is taken is told with what was asked for, and ends the command")
    func takenPort() async throws {
        let folder = try TemporaryFolder()
        let node = try await RunningProcess(home: folder.path("home"), ["--no-multicast"])
        let page = try Self.parts(try await node.client.call(PageCall(port: 0)).url).page
        let port = String(try #require(page.split(separator: ":").last?.dropLast()))
        let other = try await EarshotProcess.run(["--home", folder.path("other"), "web", "--port", port] + Self.mesh)
        #expect(other.status == 1)
        #expect(other.errors.contains("The page cannot be served on port \(port): "))
        let usage = try await EarshotProcess.run(["--home", folder.path("other"), "web", "--port", "65536"])
        #expect(usage.status == 64)
        try node.closeInput()
        #expect(await node.end() == 0)
        await node.client.close()
    }

    @Test("A browser is started only when asked, by a file that nobody else can read and that is gone after use")
    func browser() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let node = try await RunningProcess(home: home, ["--no-multicast"])
        let (seen, user) = (folder.path("seen"), folder.path("user"))
        try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: true)
        let browser = folder.path("xdg-open")
        let script = """
            #!/usr/bin/env python3
            import os, re, sys, urllib.request
            file = open(sys.argv[1]).read()
            mode = oct(os.stat(sys.argv[1]).st_mode & 0o777)[2:]
            page, token = re.search(r"url=(http://[0-9.:]+)/#([0-9a-f]+)", file).groups()
            use = urllib.request.Request(page + "/session", token.encode(), {"Origin": page})
            status = urllib.request.urlopen(use).status
            open("\(seen)~", "w").write("\\n".join([sys.argv[1], mode, f"{page}/#{token}", str(status)]))
            os.rename("\(seen)~", "\(seen)")

            """
        try Data(script.utf8).write(to: URL(filePath: browser))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
        let path = "\(folder.url.path):\(EarshotProcess.inherited["PATH", default: ""])"
        let plain = try await EarshotProcess.run(["--home", home, "web", "--port", "0"], environment: ["PATH": path])
        #expect(plain.status == 0)
        let environment = ["PATH": path, "HOME": user]
        #expect(try FileManager.default.contentsOfDirectory(atPath: user).isEmpty)
        let run = try await EarshotProcess.run(["--home", home, "web", "--open"], environment: environment)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        while !FileManager.default.fileExists(atPath: seen) { await Task.yield() }
        let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n")
        let file = try #require(lines.first.map { URL(filePath: String($0)) })
        #expect(file.deletingLastPathComponent().path == user, "it is in no hidden directory")
        #expect(file.lastPathComponent.wholeMatch(of: /earshot-[0-9a-f]{32}\.html/) != nil)
        let address = try Self.parts(run.output)
        #expect(lines.dropFirst() == ["600", "\(address.page)#\(address.token)", "200"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: user).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home + "/page.link"))
        try node.closeInput()
        #expect(await node.end() == 0)
        await node.client.close()
    }

    @Test("A file for the browser lies in no hidden directory, and in none where others write or that is another's")
    func folders() throws {
        let folder = try TemporaryFolder()
        for (name, mode, isUsable) in [
            ("open", 0o755, true), ("shared", 0o777, false), (".hidden", 0o700, false), ("own", 0o700, true),
        ] {
            let path = folder.path(name)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(AddressFile.isUsable(URL(filePath: path)) == isUsable, "\(name)")
        }
        #expect(!AddressFile.isUsable(URL(filePath: folder.path(".hidden/within"))))
        #expect(!AddressFile.isUsable(URL(filePath: folder.path("nowhere"))))
    }

    @Test("Alone the command runs a node until it is told to end")
    func alone() async throws {
        let folder = try TemporaryFolder()
        let command = #""$0" "$@" > "$OUT" & while ! grep -q http "$OUT"; do :; done; kill -INT $!; wait $!"#
        let run = try await EarshotProcess.run(
            ["--home", folder.path("home"), "--json", "web", "--port", "0"] + Self.mesh,
            environment: ["OUT": folder.path("out")],
            under: ["sh", "-c", command]
        )
        #expect(run.status == 0, "\(run.errors)")
        let output = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
        #expect(output.hasPrefix(#"{"url":"http://127.0.0.1:"#))
        #expect(!FileManager.default.fileExists(atPath: folder.path("home/rpc.sock")))
    }
}
