import ChatCrypto
import Earshot
import Foundation

/// The secret that one tab shares with this server, and the proofs made of it.
///
/// Browsers send the cookie to any server of this host on any port. The secret travels once, in the answer to a token.
/// After that, each side proves that it knows the secret, and sends nothing else before the other side has proved it.
struct PageProof: Sendable {
    /// The secret in hexadecimal digits, which the page gets once.
    let digits: String
    private let secret: SecretBytes

    init() {
        let bytes = randomBytes(WebLimits.secretByteCount)
        digits = bytes.hex
        secret = SecretBytes(copying: bytes)
    }

    /// The party that makes a proof.
    enum Party: String {
        case node, page
    }

    /// Computes the code by which a party proves that it knows the secret, over the nonces of both parties.
    func code(of party: Party, page: [UInt8], node: [UInt8]) -> [UInt8] {
        HMACSHA256.code(Array("earshot \(party)".utf8), page, node, key: secret)
    }

    /// Whether the header of a request that changes state was made with the secret.
    func accepts(request header: String) -> Bool {
        let code = HMACSHA256.code(Array("earshot request".utf8), key: secret)
        return constantTimeEqual(Array(header.utf8), Array(code.hex.utf8))
    }

    /// The header that carries the code of requests.
    static let header = "earshot-page"

    /// Reads a page's nonce from the target of its WebSocket request; nil if there is none.
    static func nonce(in target: String) -> [UInt8]? {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("nonce=") else { return nil }
        let bytes = [UInt8](hex: String(parts[1].dropFirst("nonce=".count)))
        return bytes?.count == WebLimits.nonceByteCount ? bytes : nil
    }
}

/// The opening of one WebSocket: the proof that this server gives, and the proof that it expects.
final class SocketProof: Sendable {
    /// The first line on the socket: the server's nonce and its proof.
    let opening: [UInt8]
    private let expected: [UInt8]
    private let given: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// Makes the proof of this server.
    ///
    /// - Parameter nonce: the page's nonce.
    init(_ proof: PageProof, answering nonce: [UInt8]) {
        let own = randomBytes(WebLimits.nonceByteCount)
        let code = proof.code(of: .node, page: nonce, node: own)
        opening = Array(#"{"nonce":"\#(own.hex)","proof":"\#(code.hex)"}"#.utf8)
        expected = Array(proof.code(of: .page, page: nonce, node: own).hex.utf8)
        given = AsyncStream<Void>.makeStream()
    }

    /// Takes the first line of the page.
    ///
    /// - Returns: whether the line proves that the page knows the secret.
    func take(_ line: [UInt8]) -> Bool {
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(line))
        guard let answer, constantTimeEqual(Array(answer.proof.utf8), expected) else { return false }
        given.continuation.yield()
        return true
    }

    /// Waits for the page's proof.
    ///
    /// - Returns: whether the proof arrived in time.
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
