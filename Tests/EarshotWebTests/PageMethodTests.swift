import ChatCrypto
import Earshot
import EarshotWeb
import Foundation
import Testing

@Suite("Methods and exports of the page", .timeLimit(.minutes(30)))
struct PageMethodTests {
    @Test("Nobody gets files of this machine or writes any by the page's WebSocket")
    func noPaths() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let folder = FileManager.default.temporaryDirectory.appending(path: "earshot-page-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let secret = folder.appending(path: "secret")
            try Data("secret".utf8).write(to: secret)
            let media = try await trial.send([1, 2, 3], name: "a", to: bob)
            let message = media.split(separator: "/")[1]
            let calls = [
                ("send", #"{"to":"\#(bob)","text":"","files":["\#(secret.path)"]}"#),
                ("send", #"{"to":"\#(bob)","text":"","images":["\#(secret.path)"]}"#),
                ("media", #"{"message":"\#(message)","folder":"\#(folder.path)"}"#),
                ("history.export", #"{"path":"\#(folder.path)/export"}"#), ("page", "{}"),
                ("erase", #"{"everything":true}"#),
                ("shutdown", "{}"),
            ]
            let socket = try await SocketClient(trial)
            for (number, (method, parameters)) in calls.enumerated() {
                try await socket.say(
                    #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters),"id":\#(number)}"#
                )
                let answer = try #require(await socket.text(with: #""id":\#(number),"#))
                #expect(answer.contains(#""error""#), "\(method): \(answer)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["secret"])
            #expect(try await trial.node.conversation(.direct(bob)).history().flatMap(\.files).map(\.name) == ["a"])
        }
    }

    @Test("An export is a download of the page, plain or sealed, and leaves nothing on the disk")
    func export() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            try await trial.node.conversation(.direct(bob)).send("Said once")
            _ = try await trial.send(Array(repeating: 7, count: 200_000), name: "a.bin", to: bob)
            let guest = try await trial.guest()
            let plain = try await trial.ask("POST /export", guest, #"{"format":"jsonl","conversation":"\#(bob)"}"#)
            #expect(plain.status == 200)
            #expect(plain.headers["content-disposition"]?.hasPrefix(#"attachment; filename="earshot.jsonl""#) == true)
            #expect(plain.headers["content-length"] == nil)
            #expect(plain.text.contains("Said once"))
            #expect(plain.text.hasSuffix("\r\n0\r\n\r\n"), "the answer tells that it is whole")
            let page = try await trial.ask("POST /export", guest, #"{"format":"html"}"#)
            #expect(page.status == 200 && page.text.contains("</html>"))
            let sealed = try await trial.ask("POST /export", guest, #"{"format":"jsonl","passphrase":"p"}"#)
            #expect(sealed.text.contains("EARSHOTX") && !sealed.text.contains("Said once"))
        }
    }

    @Test("An export that cannot begin is refused, and so is a body that is longer than allowed")
    func badExports() async throws {
        try await WebTrial.run { trial in
            let guest = try await trial.guest()
            for body in ["", "{}", #"{"format":"pdf"}"#, #"{"format":"jsonl","conversation":"Bob"}"#] {
                #expect(try await trial.ask("POST /export", guest, body).status == 400, "\(body)")
            }
            let unknownPeer = String(repeating: "0", count: 32)
            let unknown = #"{"format":"jsonl","conversation":"\#(unknownPeer)"}"#
            #expect(try await trial.ask("POST /export", guest, unknown).status == 404)
            let long = String(repeating: " ", count: WebLimits.exportBodyByteCount + 1)
            #expect(try await trial.ask("POST /export", guest, long).status == 413)
        }
    }
}
