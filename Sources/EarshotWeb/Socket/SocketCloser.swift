import NIOCore
import NIOWebSocket
import Synchronization

/// The closing of a WebSocket, which is sent once.
final class SocketCloser: Sendable {
    private let channel: any Channel
    private let isNotified = Mutex(false)

    init(_ channel: any Channel) { self.channel = channel }

    /// Sends the close reason to the client.
    ///
    /// The reason is before anything else that a caller asks of the channel afterwards, also a second one that closes it.
    func close(_ code: WebSocketErrorCode) {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        isNotified.withLock { wasNotified in
            guard !wasNotified else { return }
            wasNotified = true
            channel.eventLoop.execute { [channel] in channel.writeAndFlush(frame, promise: nil) }
        }
    }
}

extension WebSocketErrorCode {
    /// The session is not valid, or no longer valid.
    static let noSession = WebSocketErrorCode(codeNumber: 4_401)
}
