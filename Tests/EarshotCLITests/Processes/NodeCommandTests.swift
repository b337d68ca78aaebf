import EarshotRPC
import Foundation
import Testing

@testable import EarshotCLI

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A node as a process", .timeLimit(.minutes(30)))
struct NodeCommandTests {
    private static let quietMesh = ["--no-multicast"]

    @Test("The end of standard input ends the node cleanly")
    func endOfInput() async throws {
        let folder = try TemporaryFolder()
        let node = try await RunningProcess(home: folder.path("home"), Self.quietMesh)
        #expect(FileManager.default.fileExists(atPath: folder.path("home/rpc.sock")))
        try node.closeInput()
        #expect(await node.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("home/rpc.sock")))
        await node.client.close()
    }

    @Test("With --metrics a node says where it serves its figures, and they are those of the status")
    func metrics() async throws {
        let folder = try TemporaryFolder()
        let errors = URL(filePath: folder.path("errors"))
        try Data().write(to: errors)
        let home = folder.path("home")
        let node = try await RunningProcess(
            home: home,
            Self.quietMesh + ["--metrics", "0", "--media-limit", "3M"],
            errors: try FileHandle(forWritingTo: errors)
        )
        let notes = try String(contentsOf: errors, encoding: .utf8)
        let place = try #require(notes.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/metrics/)?.output)
        let (text, _) = try await URLSession.shared.data(from: try #require(URL(string: String(place))))
        #expect(String(decoding: text, as: UTF8.self).contains("\nmesh_neighbours 0\n"))
        let status = try await EarshotProcess.run(["--home", home, "--json", "status"])
        #expect(status.output.contains(#""mesh_neighbours":0,"#))
        #expect(status.output.contains(#""mediaLimit":3145728,"#))
        #expect(status.output.contains(#""mesh_links":{"suspect":0,"up":0}"#))
        try node.closeInput()
        #expect(await node.end() == 0)
        await node.client.close()
    }

    @Test("Requests in a file are answered, after the line that says ready, and then the node ends")
    func streams() async throws {
        let folder = try TemporaryFolder()
        let requests = folder.path("requests")
        try Data(#"{"jsonrpc":"2.0","method":"contacts","id":1}"#.utf8 + [10]).write(to: URL(fileURLWithPath: requests))
        let command = #""$0" --home "$1" --quiet node --stdio --no-multicast < "$2" 2>"$2.err""#
        let executable = try EarshotProcess.executable()
        let shell = ["sh", "-c", command, executable, folder.path("home"), requests]
        let run = try await EarshotProcess.run([], under: shell)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0)
        #expect(lines.count == 2 && lines[0].contains(#""type":"ready""#), "\(lines)")
        #expect(lines.last == #"{"id":1,"jsonrpc":"2.0","result":[]}"#)
    }

    @Test("SIGTERM and SIGINT end the node cleanly", arguments: [SIGTERM, SIGINT])
    func signals(number: Int32) async throws {
        let folder = try TemporaryFolder()
        let node = try await RunningProcess(home: folder.path("home"), Self.quietMesh)
        #expect(kill(node.identifier, number) == 0)
        #expect(await node.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("home/rpc.sock")))
        await node.client.close()
    }

    @Test("While a node runs, commands talk to it, and a second node is refused")
    func oneOwner() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let node = try await RunningProcess(home: home, Self.quietMesh)
        let status = try await EarshotProcess.run(["--home", home, "--json", "status"])
        let reply = try RPCCoding.decode(StatusReply.self, from: Array(status.output.utf8))
        #expect(reply.id == (try await node.client.call(StatusCall()).id))
        #expect(reply.uptime > 0)
        let second = try await EarshotProcess.run(["--home", home, "node", "--no-multicast"])
        #expect(second.status == 77 && second.output == "", "\(second.errors)")
        #expect(try await node.client.call(ContactsCall()) == [])
        _ = try await node.client.call(ShutdownCall())
        #expect(await node.end() == 0)
        await node.client.close()
    }

    @Test("A node killed leaves a socket behind, and the next one takes its place")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let home = folder.path("home")
        let first = try await RunningProcess(home: home, Self.quietMesh)
        kill(first.identifier, SIGKILL)
        #expect(await first.end() == SIGKILL)
        await first.client.close()
        #expect(FileManager.default.fileExists(atPath: home + "/rpc.sock"))
        let alone = try await EarshotProcess.run(["--home", home, "--json", "peers"])
        #expect(alone.status == 0 && alone.output == "[]\n", "\(alone.errors)")
        let second = try await RunningProcess(home: home, Self.quietMesh)
        let over = try await EarshotProcess.run(["--home", home, "status"])
        #expect(over.status == 0 && over.output.contains("running for"))
        try second.closeInput()
        #expect(await second.end() == 0)
        await second.client.close()
    }

    #if os(Linux)
        @Test("Another user who can open the socket is turned away")
        func foreignUser() async throws {
            let folder = try TemporaryFolder()
            let home = folder.path("home")
            let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            let reachable = try await EarshotProcess.run(["--version"], under: nobody)
            guard reachable.status == 0 else {
                print("skipped: this user cannot become another one who can run \(try EarshotProcess.executable())")
                return
            }
            let node = try await RunningProcess(home: home, Self.quietMesh)
            for (path, mode) in [(folder.url.path, 0o755), (home, 0o755), (home + "/rpc.sock", 0o666)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            let run = try await EarshotProcess.run(["--home", home, "--json", "status"], under: nobody)
            #expect(run.status == 77 && run.output == "" && run.errors.contains("another user"), "\(run.errors)")
            // The node does not answer a program of another user that connects all the same.
            let script = """
                import socket, sys
                try:
                    client = socket.socket(socket.AF_UNIX)
                    client.connect(sys.argv[-1])
                    client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\\n')
                    print(client.recv(100))
                except OSError:
                    print(b"")
                """
            let python = nobody + ["/usr/bin/python3", "-c", script]
            let raw = try await EarshotProcess.run([home + "/rpc.sock"], under: python)
            #expect(raw.output == "b''\n", "\(raw)")
            let own = try await EarshotProcess.run(["--home", home, "--json", "status"])
            #expect(own.status == 0)
            try node.closeInput()
            #expect(await node.end() == 0)
            await node.client.close()
        }
    #endif
}
