import NIOCore
import NIOWebSocket
import Synchronization

/// The closing of a WebSocket, which is sent once.
final class SocketCloser: Sendable {
    private let channel: any Channel
    private let isNotified = Mutex(false)

    init(_ channel: any Channel) { self.channel = channel }

    /// Sends the close reason to the client.
    func close(_ code: WebSocketErrorCode) {
        guard
            isNotified.withLock({ wasNotified in
                defer { wasNotified = true }
                return !wasNotified
            })
        else { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
    }
}

extension WebSocketErrorCode {
    /// The session is not valid, or no longer valid.
    static let noSession = WebSocketErrorCode(codeNumber: 4_401)
}
