import EarshotRPC
import Foundation
import Testing

/// The JSON-RPC of a node process, from the viewpoint of a program that knows only JSON.
@Suite("JSON-RPC of a process", .timeLimit(.minutes(30)))
struct WireTests {
    /// The lines with their answers: ids with the names of errors; nil for no answer.
    private static let talk: [(line: String, answer: String?)] = [
        (#"{"jsonrpc":"2.0","method":"contacts","id":1}"#, "1 []"),
        (#"{"jsonrpc":"2.0","method":"contacts"}"#, nil),
        (#"{"jsonrpc":"2.0","method":"gossip"}"#, nil),
        ("{", "null -32700 parseError"),
        (#"{"method":"contacts","id":2}"#, "2 -32600 invalidRequest"),
        (#"{"jsonrpc":"2.0","method":"gossip","id":3}"#, "3 -32601 methodNotFound"),
        (#"{"jsonrpc":"2.0","method":"trust","params":{"peer":"Bob"},"id":4}"#, "4 -32602 invalidParams"),
        (#"{"jsonrpc":"2.0","method":"trust","params":["Bob","accept"],"id":5}"#, "5 -32602 invalidParams"),
        (
            #"{"jsonrpc":"2.0","method":"trust","params":{"peer":"Bob","action":"accept"},"id":6}"#,
            "6 -32001 notFound"
        ),
        (
            #"[{"jsonrpc":"2.0","method":"contacts","id":"a"},{"jsonrpc":"2.0","method":"contacts"},{"jsonrpc":"2.0","method":"gossip","id":7}]"#,
            #"["a" [], 7 -32601 methodNotFound]"#
        ),
        (#"[{"jsonrpc":"2.0","method":"contacts"}]"#, nil),
        ("[]", "null -32600 invalidRequest"),
        (padded(RPCLimits.lineByteCount), "8 []"),
        (padded(RPCLimits.lineByteCount + 1), "null -32005 tooLarge"),
    ]

    /// Makes a request of this length, padded with spaces.
    private static func padded(_ byteCount: Int) -> String {
        let request = #"{"jsonrpc":"2.0","method":"contacts","id":8}"#
        return String(repeating: " ", count: byteCount - request.utf8.count) + request
    }

    private static var written: [UInt8] { Array(talk.map { $0.line + "\n" }.joined().utf8) }

    /// Describes a line of answers in the form of `talk`.
    private static func reported(_ line: some StringProtocol) throws -> String {
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
        if let batch = json as? [[String: Any]] {
            return "[\(try batch.map(reported).joined(separator: ", "))]"
        }
        return try reported(try #require(json as? [String: Any]))
    }

    private static func reported(_ answer: [String: Any]) throws -> String {
        #expect(answer["jsonrpc"] as? String == "2.0")
        let id = (answer["id"] as? String).map { "\"\($0)\"" } ?? (answer["id"] as? Int).map(String.init) ?? "null"
        guard let error = answer["error"] as? [String: Any] else {
            #expect((answer["result"] as? [Any])?.isEmpty == true)
            return "\(id) []"
        }
        let data = try #require(error["data"] as? [String: Any])
        #expect(error["message"] as? String != "")
        return "\(id) \(try #require(error["code"] as? Int)) \(try #require(data["code"] as? String))"
    }

    @Test("On standard streams each line is answered as the specification says, up to the one that is too long")
    func streams() async throws {
        let folder = try TemporaryFolder()
        try Data(Self.written).write(to: URL(filePath: folder.path("requests")))
        let command = #""$0" --home "$1" --quiet node --stdio --no-multicast < "$2""#
        let executable = try EarshotProcess.executable()
        let shell = ["sh", "-c", command, executable, folder.path("home"), folder.path("requests")]
        let run = try await EarshotProcess.run([], under: shell)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.first?.contains(#""type":"ready""#) == true, "\(run.errors)")
        #expect(try lines.dropFirst().map(Self.reported) == Self.talk.compactMap(\.answer))
    }

    /// A program that writes a file to a socket while it reads; closing a socket with unread bytes resets the
    /// connection.
    private static let client = """
        import socket, sys, threading
        link = socket.socket(socket.AF_UNIX)
        link.connect(sys.argv[2])
        requests = open(sys.argv[3], "rb").read()
        def write():
            try: link.sendall(requests)
            except OSError: pass
        threading.Thread(target=write).start()
        try:
            while piece := link.recv(65536): sys.stdout.buffer.write(piece)
        except ConnectionResetError: pass
        """

    @Test("On the socket it is the same for each client, and one that is let go does not concern the others")
    func socket() async throws {
        let folder = try TemporaryFolder()
        let node = try await RunningProcess(home: folder.path("home"), ["--no-multicast"])
        try Data(Self.written).write(to: URL(filePath: folder.path("requests")))
        let files = [folder.path("home/rpc.sock"), folder.path("requests")]
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { try await EarshotProcess.run(files, under: ["python3", "-c", Self.client]) }
            }
            for try await run in group {
                let lines = run.output.split(separator: "\n")
                #expect(run.status == 0 && run.errors == "", "\(run.errors)")
                #expect(try lines.map(Self.reported) == Self.talk.compactMap(\.answer))
            }
        }
        #expect(try await node.client.call(ContactsCall()) == [])
        try node.closeInput()
        #expect(await node.end() == 0)
        await node.client.close()
    }
}
