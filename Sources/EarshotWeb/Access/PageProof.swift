import ChatCrypto
import Earshot
import Foundation

/// The secret that one tab shares with this server, and the proofs made of it.
///
/// Browsers send the cookie to any server of this host, whatever its port. The secret goes over the wire once, in the
/// answer to a token; afterwards each side proves that it knows it, and says nothing before the other has.
struct PageProof: Sendable {
    /// The secret in digits, as the page gets it once.
    let digits: String
    private let secret: SecretBytes

    init() {
        let bytes = randomBytes(WebLimits.secretByteCount)
        digits = bytes.hex
        secret = SecretBytes(copying: bytes)
    }

    /// The one that proves.
    enum Party: String {
        case node, page
    }

    /// The code by which a party proves that it knows the secret, over the nonces of both.
    func code(of party: Party, page: [UInt8], node: [UInt8]) -> [UInt8] {
        HMACSHA256.code(Array("earshot \(party)".utf8), page, node, key: secret)
    }

    /// Whether a header, of what changes something, was made of the secret.
    func accepts(request header: String) -> Bool {
        let code = HMACSHA256.code(Array("earshot request".utf8), key: secret)
        return constantTimeEqual(Array(header.utf8), Array(code.hex.utf8))
    }

    /// The header that brings the code of requests.
    static let header = "earshot-page"

    /// Reads the nonce of a page from the target of its WebSocket; nil where it is none.
    static func nonce(in target: String) -> [UInt8]? {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("nonce=") else { return nil }
        let bytes = [UInt8](hex: String(parts[1].dropFirst("nonce=".count)))
        return bytes?.count == WebLimits.nonceByteCount ? bytes : nil
    }
}

/// The opening of one WebSocket: the proof that this server gives, and the one that it waits for.
final class SocketProof: Sendable {
    /// The first line on the socket: the server's nonce and its proof.
    let opening: [UInt8]
    private let expected: [UInt8]
    private let given: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// - Parameter nonce: The page's.
    init(_ proof: PageProof, answering nonce: [UInt8]) {
        let own = randomBytes(WebLimits.nonceByteCount)
        let code = proof.code(of: .node, page: nonce, node: own)
        opening = Array(#"{"nonce":"\#(own.hex)","proof":"\#(code.hex)"}"#.utf8)
        expected = Array(proof.code(of: .page, page: nonce, node: own).hex.utf8)
        given = AsyncStream<Void>.makeStream()
    }

    /// Takes the first line of the page.
    ///
    /// - Returns: Whether it proves that the page knows the secret.
    func take(_ line: [UInt8]) -> Bool {
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(line))
        guard let answer, constantTimeEqual(Array(answer.proof.utf8), expected) else { return false }
        given.continuation.yield()
        return true
    }

    /// Waits for the page's proof.
    ///
    /// - Returns: Whether it came in time.
    func isGiven(within time: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [given] in await given.stream.first { _ in true } != nil }
            group.addTask {
                try? await Task.sleep(for: time)
                return false
            }
            let isGiven = await group.next() ?? false
            group.cancelAll()
            return isGiven
        }
    }

    private struct Answer: Decodable {
        let proof: String
    }
}
