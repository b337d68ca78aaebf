import Foundation
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests of the reader of the protocol, without a server.
@Suite("Bytes of NATS servers", .timeLimit(.minutes(30)))
struct NATSDecoderTests {
    private static let headers = """
        NATS/1.0\r\nNats-Msg-Id: 00ff\r\nNats-Stream: MAIL\r\nNats-Subject: e.a.a5\r\nNats-Sequence: 18446744073709551615\r
        Nats-Time-Stamp: 2026-11-29T20:25:50.521832604Z\r\n\r\n
        """
    /// A conversation with all that a server may say.
    private static let conversation = [
        #"INFO {"server_id":"A","version":"2.9.10","headers":true,"max_payload":24576,"tls_required":true}"#,
        "\r\nPING\r\n+OK\r\nMSG e.a.a5 2 5\r\na\r\nbc\r\nMSG _INBOX.x.7 1 an.answer 0\r\n\r\nPONG\r\n",
        "HMSG _INBOX.x.8 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\nHMSG _INBOX.x.9 1 an.answer ",
        "\(headers.utf8.count) \(headers.utf8.count + 4)\r\n\(headers)mail\r\n-ERR 'Permissions Violation'\r\nPING\r\n",
    ].joined()

    private func operations(_ pieces: [ArraySlice<UInt8>]) throws -> [NATSOperation] {
        var decoder = NATSDecoder()
        var operations: [NATSOperation] = []
        for piece in pieces {
            decoder.append(piece)
            while let operation = try decoder.next() { operations.append(operation) }
        }
        #expect(decoder.waitingByteCount == 0)
        return operations
    }

    private func operations(_ text: String) throws -> [NATSOperation] { try operations([Array(text.utf8)[...]]) }

    /// Returns the only message of a text.
    private func message(_ text: String) throws -> NATSMessage? {
        guard case .message(let message) = try operations(text).first else { return nil }
        return message
    }

    @Test("A conversation is read as it was meant")
    func reading() throws {
        let operations = try operations(Self.conversation)
        try #require(operations.count == 10)
        let info = NATSInfo(needsTLS: true, hasHeaders: true, payloadByteCount: 24_576)
        #expect(operations[0] == .info(info))
        #expect([operations[1], operations[2], operations[5], operations[9]] == [.ping, .ok, .pong, .ping])
        let none = NATSHeaders()
        let mail = NATSMessage(subject: "e.a.a5", subscription: 2, headers: none, body: Array("a\r\nbc".utf8))
        let answer = NATSMessage(subject: "_INBOX.x.7", subscription: 1, headers: none, body: [])
        #expect([operations[3], operations[4]] == [.message(mail), .message(answer)])
        guard case .message(let absent) = operations[6], case .message(let kept) = operations[7] else {
            Issue.record("the messages with headers are missing")
            return
        }
        #expect(absent.headers.status == 503 && absent.body.isEmpty)
        #expect(kept.headers.status == nil && kept.headers.subject == "e.a.a5" && kept.headers.sequence == .max)
        #expect(kept.headers.storedAt == "2026-11-29T20:25:50.521832604Z" && kept.body == Array("mail".utf8))
        #expect(operations[8] == .error("'Permissions Violation'"))
    }

    @Test("Every split of a conversation gives the same")
    func splits() throws {
        let bytes = Array(Self.conversation.utf8)
        let whole = try operations([bytes[...]])
        for place in bytes.indices { #expect(try operations([bytes[..<place], bytes[place...]]) == whole) }
        for count in 1...80 {
            let pieces = stride(from: 0, to: bytes.count, by: count).map { bytes[$0..<min($0 + count, bytes.count)] }
            #expect(try operations(pieces) == whole)
        }
    }

    @Test(
        "Everything up to the limits is read",
        arguments: [
            "INFO {}" + String(repeating: " ", count: HubLimits.infoByteCount - 8) + "\r\n",
            "-ERR " + String(repeating: "x", count: HubLimits.lineByteCount - 6) + "\r\n",
            "MSG \(String(repeating: "s", count: 255)) 999999999999999999 24576\r\n"
                + String(repeating: "x", count: 24_576) + "\r\n",
            "HMSG s 1 24576 24576\r\n" + String(repeating: "x", count: 24_576) + "\r\n",
        ]
    )
    func allowed(text: String) throws {
        #expect(try operations(text).count == 1)
    }

    @Test(
        "Everything else ends the connection, before more is kept",
        arguments: [
            "INFO {}" + String(repeating: " ", count: HubLimits.infoByteCount - 7) + "\r",
            "-ERR " + String(repeating: "x", count: HubLimits.lineByteCount - 4), String(repeating: "x", count: 4_097),
            "MSG s 1 24577\r\n", "MSG s 1 2147483647\r\n", "MSG s 1 99999999999999999999\r\n", "MSG s 1 -1\r\n",
            "MSG s 1 +1\r\n", "MSG s 1 0x1\r\n", "MSG s 1 ١\r\n", "MSG s 1\r\n", "MSG s 1 a b 1\r\n",
            "MSG s x 1\r\n",
            "MSG s 99999999999999999999 1\r\n", "MSG s 1 \r\n", "MSG\r\n", "MSGS s 1 1\r\n", "msg s 1 1\r\n",
            "MSG s 1 1\r\nab\r\n", "MSG s 1 1\r\na\n\r", "MSG s 1 0\r\nPING\r\n", "MSG s 1 0\n",
            "HMSG s 1 2 1\r\n", "HMSG s 1 99999999999999999999 1\r\n", "HMSG s 1 -1 1\r\n", "HMSG s 1 1\r\n",
            "HMSG s 1 0 24577\r\n", "HMSG s 1 a b 1 1\r\n",
            "INFO {\r\n", "INFO []\r\n", "INFO \r\n", "INFO {\"headers\":5}\r\n", "INFO {\"max_payload\":1e400}\r\n",
            "INFO " + String(repeating: "[", count: 32_000) + "\r\n", "INFO{}\r\n",
            "PING\n", "PING \r\n", "PONGS\r\n", "\r\n", "\n", "+OKAY\r\n", "-ERR\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 400 Bad Request\r\n", "\0\r\n", "SUB s 1\r\n",
        ]
    )
    func refused(text: String) throws {
        #expect(throws: NATSViolation.self) { try operations(text) }
    }

    @Test("A message that only a guest can have made odd is passed over, or has no headers")
    func guests() throws {
        let long = String(repeating: "s", count: 256)
        for subject in ["é.x", "a\u{7F}", "a\tb", long] {
            #expect(try operations("MSG \(subject) 1 2\r\nab\r\nPING\r\n") == [.ping])
        }
        for block in ["", "x", "\r\n", "NATS/1.0 5\n", "NATS/1.0 99999999999\r\n", "NATS/1.0 -12\r\n", "Nats-Sequence"]
        {
            let read = try message("HMSG s 1 \(block.utf8.count) \(block.utf8.count + 1)\r\n\(block)b\r\n")
            #expect(read?.headers == NATSHeaders() && read?.body == Array("b".utf8))
        }
    }

    @Test("Of several headers of a name the last counts, which is the server's, behind any number of others")
    func lastHeader() throws {
        let block =
            "x\r\nNats-Sequence: 5\r\nNats-Subject: e.b.b\r\n" + String(repeating: "a:\n", count: 8_000)
            + "Nats-Sequence: 6\r\nNats-Subject: e.c.c\r\n\r\n"
        let read = try message("HMSG s 1 \(block.utf8.count) \(block.utf8.count)\r\n\(block)\r\n")
        #expect(read?.headers.sequence == 6 && read?.headers.subject == "e.c.c")
    }

    @Test("Headers whose values are none are left out")
    func badHeaders() throws {
        for block in ["Nats-Sequence: 18446744073709551616", "Nats-Sequence: -1", "Nats-Subject: é", "Nats-Subject:"] {
            let text = "NATS/1.0\r\n\(block)\r\n\r\n"
            let read = try message("HMSG s 1 \(text.utf8.count) \(text.utf8.count)\r\n\(text)\r\n")
            #expect(read?.headers == NATSHeaders())
        }
    }

    @Test("Bytes that come one at a time give the same, and no more than a message is kept")
    func oneByteAtATime() throws {
        let info = Array(("INFO {}" + String(repeating: " ", count: 32_000) + "\r\n").utf8)
        let mail = Array(("MSG s 1 24576\r\n" + String(repeating: "x", count: 24_576) + "\r\n").utf8)
        var decoder = NATSDecoder()
        var (count, most) = (0, 0)
        for piece in [info, mail] {
            for _ in 0..<5 {
                for byte in piece {
                    decoder.append(CollectionOfOne(byte))
                    if try decoder.next() != nil { count += 1 }
                    most = max(most, decoder.waitingByteCount)
                }
            }
        }
        #expect(count == 10)
        #expect(most < info.count + 2)
    }

    @Test("Random bytes and changed conversations never trap")
    func random() {
        var random = SystemRandomNumberGenerator()
        let words = ["MSG ", "HMSG ", "INFO ", "PING", "\r\n", " ", "0", "9", "{", "NATS/1.0", "Nats-Sequence: "]
        let example = Array(Self.conversation.utf8)
        for _ in 0..<2_000 {
            var decoder = NATSDecoder()
            var bytes = example
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                default: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
                }
            }
            decoder.append(bytes.prefix(.random(in: 0...bytes.count, using: &random)))
            while let operation = try? decoder.next() { _ = operation }
        }
    }
}
