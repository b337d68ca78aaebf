import NIOCore
import NIOWebSocket

/// The lines that a page sends on its WebSocket after its proof; each text message is one line.
package struct SocketLines: AsyncSequence, Sendable {
    private let frames: NIOAsyncChannelInboundStream<WebSocketFrame>
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let end: SocketCloser
    private let proof: SocketProof
    private let onLine: @Sendable () -> Void

    init(
        _ frames: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        _ end: SocketCloser,
        after proof: SocketProof,
        onLine: @escaping @Sendable () -> Void
    ) {
        self.frames = frames
        self.outbound = outbound
        self.end = end
        self.proof = proof
        self.onLine = onLine
    }

    /// Makes the only iterator.
    package func makeAsyncIterator() -> Iterator {
        Iterator(frames: frames.makeAsyncIterator(), outbound: outbound, end: end, proof: proof, onLine: onLine)
    }

    /// An iterator over the messages.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
        fileprivate let end: SocketCloser
        fileprivate let proof: SocketProof
        fileprivate let onLine: @Sendable () -> Void
        private var isProved = false

        fileprivate init(
            frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator,
            outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
            end: SocketCloser,
            proof: SocketProof,
            onLine: @escaping @Sendable () -> Void
        ) {
            self.frames = frames
            self.outbound = outbound
            self.end = end
            self.proof = proof
            self.onLine = onLine
        }

        /// Reads the next line with its line feed; nil if the page has closed the socket, or has not proved its secret
        /// first.
        ///
        /// - Throws: the violation of the WebSocket protocol. The page has been notified by then.
        package mutating func next() async throws -> [UInt8]? {
            do {
                if !isProved {
                    guard let line = try await line() else { return nil }
                    guard proof.take(line) else {
                        end.close(.noSession)
                        return nil
                    }
                    isProved = true
                }
                let line = try await line()
                if line != nil { onLine() }
                return line
            } catch {
                end.close(SocketViolation(error).code)
                throw error
            }
        }

        private mutating func line() async throws -> [UInt8]? {
            while let frame = try await frames.next(isolation: #isolation) {
                switch frame.opcode {
                case .text: return try Self.line(of: frame)
                case .ping:
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
                case .pong: continue
                case .connectionClose:
                    end.close(.normalClosure)
                    return nil
                default: throw SocketViolation(.unacceptableData)
                }
            }
            return nil
        }

        private static func line(of frame: WebSocketFrame) throws -> [UInt8] {
            var line = Array(frame.unmaskedData.readableBytesView)
            guard String(validating: line, as: UTF8.self) != nil else {
                throw SocketViolation(.dataInconsistentWithMessage)
            }
            // Between the parts of a JSON text, a line feed is equivalent to a space. Inside the parts there is none.
            for index in line.indices where line[index] == UInt8(ascii: "\n") { line[index] = UInt8(ascii: " ") }
            line.append(UInt8(ascii: "\n"))
            return line
        }
    }
}
