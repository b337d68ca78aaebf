import Foundation
import Testing

/// A WebSocket of a program that can also break the protocol's rules.
struct SocketClient: Sendable {
    /// A frame that arrived.
    struct Frame: Hashable, Sendable {
        let opcode: UInt8
        let payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a close frame; nil for other frames.
        var code: Int? { opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    }

    let connection: RawConnection

    static let nonce = String(repeating: "5a", count: 32)

    /// Opens a socket, and proves both sides if the headers are those of a page.
    init(_ trial: WebTrial, _ headers: [String]? = nil, nonce: String = nonce) async throws {
        let headers = if let headers { headers } else { try await trial.guest() }
        try await self.init(unproved: trial, headers, nonce: nonce)
        guard trial.code("", of: headers) != nil else { return }
        let opening = try #require(await opening())
        #expect(opening.proof == trial.code("earshot node", nonce, opening.nonce, of: headers))
        try await say(#"{"proof":"\#(trial.code("earshot page", nonce, opening.nonce, of: headers) ?? "")"}"#)
    }

    /// Opens a socket and proves nothing.
    init(unproved trial: WebTrial, _ headers: [String], nonce: String = nonce) async throws {
        connection = try await RawConnection(port: trial.port)
        try await connection.write(trial.request("GET /socket?nonce=\(nonce)", Self.handshake + headers))
        let answer = try #require(await head())
        #expect(answer.status == 101)
    }

    /// Reads the server's first line, which is its proof.
    func opening() async throws -> (nonce: String, proof: String)? {
        guard let frame = await next(), frame.opcode == 1 else { return nil }
        let fields = try JSONDecoder().decode([String: String].self, from: Data(frame.payload))
        return (try #require(fields["nonce"]), try #require(fields["proof"]))
    }

    static let handshake = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// Reads the answer to the handshake.
    func head() async throws -> WebAnswer? {
        await connection.read { bytes in
            guard let end = String(decoding: bytes, as: UTF8.self).range(of: "\r\n\r\n"),
                let count = Optional(String(decoding: bytes, as: UTF8.self)[..<end.upperBound].utf8.count)
            else { return nil }
            defer { bytes.removeFirst(count) }
            return WebAnswer(Array(bytes[..<count]))
        }
    }

    /// Encodes a frame.
    static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isMasked: Bool = true,
        bits: UInt8 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | bits | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65_536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default:
            bytes.append(mask | 127)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [1, 2, 3, 4]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    func say(_ text: String) async throws { try await connection.write(Self.frame(1, Array(text.utf8))) }

    /// Reads the next frame; nil after the last.
    func next() async -> Frame? {
        await connection.read { bytes in
            guard bytes.count >= 2 else { return nil }
            var (count, start) = (Int(bytes[1] & 127), 2)
            if count == 126 {
                guard bytes.count >= 4 else { return nil }
                (count, start) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
            } else if count == 127 {
                guard bytes.count >= 10 else { return nil }
                (count, start) = (bytes[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
            }
            guard bytes.count >= start + count else { return nil }
            let frame = Frame(opcode: bytes[0] & 15, payload: Array(bytes[start..<start + count]))
            bytes.removeFirst(start + count)
            return frame
        }
    }

    /// Reads up to the next text that contains `part`; nil if there is none.
    func text(with part: String) async -> String? {
        while let frame = await next() {
            if frame.opcode == 1, frame.text.contains(part) { return frame.text }
        }
        return nil
    }

    /// Waits for the server's close and returns its code; nil if the server states none.
    func end() async -> Int? {
        while let frame = await next() {
            if let code = frame.code { return code }
        }
        return nil
    }
}
