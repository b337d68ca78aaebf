import ChatCrypto
import EarshotMedia
import Foundation
import Testing

@testable import Earshot
@testable import EarshotWeb

@Suite("Files that the page brings", .timeLimit(.minutes(30)))
struct UploadTests {
    /// A picture that reveals its author.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAADXRFWHRBdXRob3IAU0VDUkVUGKmqYQAAABNJREFUeJxjYGRiBiIGFlY2IAIA
        AO0AK4DFfhkAAAAASUVORK5CYII=
        """

    @Test("What comes in is what goes out, under its name, and only once")
    func sending() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            let first = try await trial.upload(MediaTests.bytes, "name=Za%C5%BC+%2B.txt&kind=file", guest)
            let second = try await trial.upload([7], "kind=file&name=b", guest)
            let answer = try await trial.send([first, second], "Two", to: bob, guest)
            #expect(answer.status == 200)
            let message = try #require(answer["message"])
            let files = try await trial.files(of: message)
            #expect(files.map(\.name) == ["Zaż +.txt", "b"])
            #expect(try await trial.ask("GET /media/\(message)/0", guest).body == MediaTests.bytes)
            #expect(try await trial.ask("GET /media/\(message)/1", guest).body == [7])
            let again = try await trial.send([first], "Again", to: bob, guest)
            #expect(again.status == 400)
            #expect(again.error == "notFound")
        }
    }

    @Test("A picture goes without what it tells, and without the name that it had")
    func picture() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            let bytes = Array(try #require(Data(base64Encoded: Self.picture, options: .ignoreUnknownCharacters)))
            #expect(String(decoding: bytes, as: UTF8.self).contains("SECRET"))
            let id = try await trial.upload(bytes, "name=SECRET.png&kind=image", guest)
            let message = try #require(try await trial.send([id], "", to: bob, guest)["message"])
            #expect(try await trial.files(of: message).map(\.name) == ["picture.png"])
            let sent = try await trial.ask("GET /media/\(message)/0", guest)
            #expect(sent.headers["content-type"] == "image/png")
            #expect(!String(decoding: sent.body, as: UTF8.self).contains("SECRET"))
            let broken = try await trial.upload([1, 2, 3], "name=a&kind=voice", guest)
            let refusal = try await trial.send([broken], "", to: bob, guest)
            #expect(refusal.status == 400)
            #expect(refusal.error == "mediaRefused")
            // The file is still there, so that the page can delete it or send it another way.
            #expect(try await trial.ask("DELETE /files/\(broken)", guest).status == 204)
        }
    }

    @Test("What waits has no name and is nowhere plain on the disk")
    func sealed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-web-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await WebTrial.runWithPeer(home: .directory(folder)) { trial, bob in
            let guest = try await trial.guest()
            let secret = Array("plain text ".utf8)
            let bytes = (0..<20_000).flatMap { _ in secret }
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let id = try await trial.upload(bytes, "name=a&kind=file", guest)
            let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            #expect(Set(after).subtracting(before).subtracting(["blobs"]) == [])
            // The descriptors of this process show the files without a name.
            var nameless = 0
            for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                let link = "/proc/self/fd/\(descriptor)"
                guard let name = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
                    name.hasPrefix(folder.path), name.hasSuffix(" (deleted)"),
                    let kept = try? Data(contentsOf: URL(filePath: link))
                else { continue }
                nameless += 1
                #expect(kept.count > bytes.count)
                #expect(kept.range(of: Data(secret)) == nil)
            }
            #expect(nameless == 1)
            #expect(try await trial.send([id], "", to: bob, guest).status == 200)
        }
    }

    @Test("One file more than allowed waits for a place", arguments: [false, true])
    func uploadLimit(isForgotten: Bool) async throws {
        var times = WebTimes.unhurried
        if isForgotten { times.upload = .milliseconds(1) }
        try await WebTrial.run(times: times) { trial in
            let guest = try await trial.guest()
            guard !isForgotten else {
                // All uploads expire by themselves, so that there is always a place soon.
                for _ in 0..<2 * WebLimits.uploadCount {
                    while try await trial.ask("POST /files?name=a&kind=file", guest, [1]).status != 200 {}
                }
                return
            }
            var ids: [String] = []
            for _ in 0..<WebLimits.uploadCount { ids.append(try await trial.upload([1], "name=a&kind=file", guest)) }
            #expect(Set(ids).count == ids.count)
            let refusal = try await trial.ask("POST /files?name=a&kind=file", guest, [1])
            #expect(refusal.status == 429)
            #expect(refusal.error == "limited")
            #expect(try await trial.ask("DELETE /files/\(ids[0])", guest).status == 204)
            #expect(try await trial.ask("DELETE /files/\(ids[0])", guest).status == 404)
            _ = try await trial.upload([1], "name=a&kind=file", guest)
        }
    }

    @Test("What does not fit is refused before it comes, and what is cut off leaves its room and its place")
    func room() async throws {
        try await WebTrial.run(mediaByteLimit: 1_000_000) { trial in
            let guest = try await trial.guest()
            func status(_ kind: String, length: UInt64) async throws -> Int {
                let connection = try await RawConnection(port: trial.port)
                let head = guest + ["Content-Length: \(length)"]
                try await connection.write(trial.request("POST /files?name=a&kind=\(kind)", head))
                let answer = await connection.read { bytes in
                    String(decoding: bytes, as: UTF8.self).contains("}}") ? WebAnswer(bytes) : nil
                }
                await connection.close()
                return answer?.status ?? 0
            }
            #expect(try await status("file", length: 1_000_001) == 507)
            #expect(try await status("file", length: 1 << 32 + 1) == 413)
            #expect(try await status("image", length: 32 << 20 + 1) == 413)
            #expect(try await status("voice", length: 32 << 20 + 1) == 413)
            for _ in 0...WebLimits.uploadCount {
                let connection = try await RawConnection(port: trial.port)
                let head = guest + ["Content-Length: 1000000"]
                try await connection.write(trial.request("POST /files?name=a&kind=file", head) + [1, 2, 3])
                await connection.close()
            }
            // The upload succeeds as soon as the server has noticed the last closed connection.
            let bytes = [UInt8](repeating: 1, count: 600_000)
            while try await trial.ask("POST /files?name=a&kind=file", guest, bytes).status != 200 {}
            #expect(try await trial.ask("POST /files?name=a&kind=file", guest, bytes).status == 507)
        }
    }

    @Test(
        "A file without a length, a name or a kind is refused",
        arguments: [
            ("name=a&kind=file", "Transfer-Encoding: chunked", 411), ("kind=file", "X: y", 400),
            ("name=a", "X: y", 400),
            ("name=a&kind=folder", "X: y", 400), ("name=%FF&kind=file", "X: y", 400), ("", "X: y", 400),
        ]
    )
    func unclear(query: String, header: String, status: Int) async throws {
        try await WebTrial.run { trial in
            let body = header == "X: y" ? [1] : Array("1\r\na\r\n0\r\n\r\n".utf8)
            let answer = try await trial.ask("POST /files?\(query)", try await trial.guest() + [header], body)
            #expect(answer.status == status)
        }
    }

    @Test(
        "A message that the page must not, or cannot, send is refused in the words of JSON-RPC",
        arguments: [
            (#"{"to":"nobody","text":"x"}"#, "notFound"),
            (#"{"to":"Bob","text":"x","files":["/etc/passwd"]}"#, "invalidParams"),
            (#"{"to":"Bob","images":["/etc/passwd"]}"#, "invalidParams"), (#"{"text":"x"}"#, "invalidParams"),
            (#"{"to":"Bob","voices":["/etc/passwd"]}"#, "invalidParams"), ("[]", "invalidParams"),
            ("", "invalidParams"), (#"{"to":"Bob","uploads":["0"]}"#, "notFound"),
            (#"{"to":"Bob","uploads":"0"}"#, "invalidParams"),
            (#"{"to":"Bob","text":"x","longestEdge":0}"#, "invalidParams"), (#"{"to":"Bob"}"#, "notFound"),
        ]
    )
    func refusals(parameters: String, error: String) async throws {
        try await WebTrial.run { trial in
            let answer = try await trial.ask("POST /send", try await trial.guest(), parameters)
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test("A locked node's page is there, and nothing else")
    func locked() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-web-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await WebTrial.runWithPeer(home: .directory(folder), passphrase: "correct") { trial, bob in
            let guest = try await trial.guest()
            let path = try await trial.send([1], name: "a", to: bob)
            let socket = try await SocketClient(trial, guest)
            try await socket.say(#"{"jsonrpc":"2.0","method":"lock","id":1}"#)
            #expect(await socket.text(with: #""id":1"#) == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
            #expect(try await trial.ask("GET /").status == 200)
            for (line, status) in [("GET \(path)", 423), ("POST /files?name=a&kind=file", 423), ("POST /send", 400)] {
                let answer = try await trial.ask(line, guest, Array(#"{"to":"Bob","text":"x"}"#.utf8))
                #expect(answer.status == status)
                #expect(answer.error == "locked")
            }
            try await socket.say(#"{"jsonrpc":"2.0","method":"unlock","params":{"passphrase":"correct"},"id":2}"#)
            #expect(await socket.text(with: #""id":2"#) == #"{"id":2,"jsonrpc":"2.0","result":{}}"#)
            #expect(try await trial.ask("GET \(path)", guest).body == [1])
        }
    }

    @Test(
        "A file that comes is read back as it came, however it was cut",
        arguments: [0, 1, 32_767, 32_768, 32_769, 100_000]
    )
    func pieces(count: Int) async throws {
        try await WebTrial.run { trial in
            let bytes = Array(MediaTests.bytes[..<count])
            for size in [count + 1, 10_007] {
                let upload = try await trial.node.upload(byteCount: UInt64(count))
                for start in stride(from: 0, to: count, by: size) {
                    try await upload.write(Array(bytes[start..<min(count, start + size)]))
                }
                let file = try await upload.finish()
                for (start, length) in [
                    (0, count), (1, 5), (0, 1), (count / 2, 40_000), (32_767, 2), (32_768, 1), (count, 1),
                ] {
                    let expected = Array(bytes.dropFirst(start).prefix(length))
                    #expect(try file.read(length, at: UInt64(start)) == expected)
                }
            }
            let short = try await trial.node.upload(byteCount: UInt64(count + 1))
            try await short.write(bytes)
            await #expect(throws: ChatError.self) { _ = try await short.finish() }
            let long = try await trial.node.upload(byteCount: UInt64(count))
            await #expect(throws: ChatError.self) { try await long.write(bytes + [0]) }
        }
    }
}

extension WebTrial {
    /// Uploads a file.
    ///
    /// - Returns: Its id.
    fileprivate func upload(_ bytes: [UInt8], _ query: String, _ guest: [String]) async throws -> String {
        let answer = try await ask("POST /files?\(query)", guest, bytes)
        #expect(answer.status == 200)
        return try #require(answer["upload"])
    }

    fileprivate func send(_ uploads: [String], _ text: String, to peer: PeerID, _ guest: [String]) async throws
        -> WebAnswer
    {
        let ids = uploads.map { "\"\($0)\"" }.joined(separator: ",")
        return try await ask("POST /send", guest, #"{"to":"\#(peer)","text":"\#(text)","uploads":[\#(ids)]}"#)
    }

    fileprivate func files(of message: String) async throws -> [MessageFile] {
        let id = try #require([UInt8](hex: message).flatMap { MessageID(bytes: $0) })
        var files: [MessageFile] = []
        while let file = try? await node.conversations.holding(id).presentFile(files.count, of: id) {
            files.append(file)
        }
        return files
    }
}
