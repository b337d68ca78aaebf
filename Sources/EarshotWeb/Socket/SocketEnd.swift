import NIOCore
import NIOWebSocket
import Synchronization

/// The end of a WebSocket, which is told once.
final class SocketEnd: Sendable {
    private let channel: any Channel
    private let isTold = Mutex(false)

    init(_ channel: any Channel) { self.channel = channel }

    /// Tells the client why it ends.
    func close(_ code: WebSocketErrorCode) {
        guard
            isTold.withLock({ wasTold in
                defer { wasTold = true }
                return !wasTold
            })
        else { return }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
    }
}

extension WebSocketErrorCode {
    /// The session is not, or no longer, good.
    static let noSession = WebSocketErrorCode(codeNumber: 4_401)
}
