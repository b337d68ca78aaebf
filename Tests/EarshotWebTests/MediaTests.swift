import Testing

@testable import EarshotWeb

@Suite("Files of messages in the page", .timeLimit(.minutes(30)))
struct MediaTests {
    static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 31 ^ $0 >> 8) }

    @Test("A file is read whole and in any part")
    func ranges() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            let path = try await trial.send(Self.bytes, name: "a.png", to: bob)
            let whole = try await trial.ask("GET \(path)", guest)
            #expect(whole.status == 200)
            #expect(whole.body == Self.bytes)
            #expect(whole.headers["accept-ranges"] == "bytes")
            #expect(whole.headers["content-length"] == "300000")
            let head = try await trial.ask("HEAD \(path)", guest)
            #expect(head.headers["content-length"] == "300000")
            #expect(head.body.isEmpty)
            let part = try await trial.ask("GET \(path)", guest + ["Range: bytes=262143-262144"])
            #expect(part.status == 206)
            #expect(part.body == Array(Self.bytes[262_143...262_144]))
            #expect(part.headers["content-range"] == "bytes 262143-262144/300000")
            let outside = try await trial.ask("GET \(path)", guest + ["Range: bytes=300000-"])
            #expect(outside.status == 416)
            #expect(outside.headers["content-range"] == "bytes */300000")
            let empty = try await trial.ask("GET \(try await trial.send([], name: "empty.gif", to: bob))", guest)
            #expect(empty.status == 200)
            #expect(empty.body.isEmpty)
        }
    }

    @Test(
        "A range is what HTTP says it is, and nonsense asks for the whole",
        arguments: [
            (nil, .whole), ("", .whole), ("bytes=0-0", .part(0..<1)), ("bytes=5-", .part(5..<10)),
            ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=2-99", .part(2..<10)), ("bytes=10-", .outside),
            ("bytes=-0", .outside),
            ("bytes=3-2", .whole), ("bytes=-", .whole), ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole),
            ("lines=0-1", .whole), ("bytes=+1-2", .whole), ("bytes=1--2", .whole),
            ("bytes=99999999999999999999-", .outside), ("bytes=0-99999999999999999999", .part(0..<10)),
            ("bytes=-99999999999999999999", .part(0..<10)),
        ] as [(String?, ByteRange)]
    )
    func byteRange(header: String?, range: ByteRange) {
        #expect(ByteRange(header, of: 10) == range)
        if header != nil, range != .whole { #expect(ByteRange(header, of: 0) == .outside) }
    }

    @Test("Pictures and sounds are shown, everything else is only saved")
    func types() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            for name in ["a.png", "a.jpg", "a.gif", "a.webp", "a.ogg"] {
                let path = try await trial.send([1], name: name, to: bob)
                let shown = try await trial.ask("GET \(path)", guest)
                #expect(shown.headers["content-disposition"] == nil)
                #expect(Disposition.shownTypes.contains(try #require(shown.headers["content-type"])))
                let saved = try await trial.ask("GET \(path)?download", guest)
                #expect(
                    saved.headers["content-disposition"] == "attachment; filename=\"\(name)\"; filename*=UTF-8''\(name)"
                )
            }
            for name in ["a.svg", "a.html", "a.xhtml", "a.pdf", "a.js", "a.txt", "a", "a.mp4"] {
                let answer = try await trial.ask("GET \(try await trial.send([1], name: name, to: bob))", guest)
                #expect(answer.headers["content-type"] == "application/octet-stream")
                #expect(answer.headers["content-disposition"]?.hasPrefix("attachment; ") == true)
            }
        }
    }

    /// Names of files that a hostile sender would choose.
    private static let names = [
        "a\r\nSet-Cookie: x=1", "a\"; filename=\"b.exe", "a\\\"b", "<script>alert(1)</script>.html", "Zażółć 🦊.txt",
        "../../etc/passwd", "\u{0}\u{1}\u{7F}", "a\u{2028}b\u{202E}gpj.exe", "%0d%0aX: y", "a;b=c, d", "",
        String(repeating: "🦊", count: 300),
    ]

    @Test("Nothing of a file's name gets out of its place in a header", arguments: names)
    func fileNames(name: String) throws {
        let header = try #require(Disposition(name: name, type: "text/html", isDownload: false).attachment)
        let form = /attachment; filename="[A-Za-z0-9._-]+"; filename\*=UTF-8''[A-Za-z0-9._%-]+/
        #expect(header.wholeMatch(of: form) != nil)
        #expect(!header.contains("etc"))
        #expect(header.utf8.count < 1_024)
    }

    @Test("Files with hostile names are given out as files")
    func hostileNames() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            for name in Self.names {
                let answer = try await trial.ask("GET \(try await trial.send([1], name: name, to: bob))", guest)
                #expect(answer.status == 200)
                #expect(answer.headers["content-disposition"]?.hasPrefix("attachment; filename=") == true)
                #expect(answer.headers["set-cookie"] == nil)
            }
        }
    }

    @Test("What there is not, and what is not here, is not found")
    func absent() async throws {
        try await WebTrial.runWithPeer { trial, bob in
            let guest = try await trial.guest()
            let path = try await trial.send([1], name: "a", to: bob)
            for absent in ["\(path.dropLast())1", "/media/\(String(repeating: "0", count: 32))/0", "/media/0/0"] {
                let answer = try await trial.ask("GET \(absent)", guest)
                #expect(answer.status == 404)
                #expect(answer.error == "notFound")
            }
        }
    }
}
