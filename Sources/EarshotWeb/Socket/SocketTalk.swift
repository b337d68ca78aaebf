import NIOCore
import NIOWebSocket

typealias SocketChannel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

/// A page on its WebSocket, from its first message to its last.
struct SocketTalk {
    let context: WebContext
    /// The number of its session; nil where it has none, of which a browser tells the page only by a close code.
    let session: Int?

    func serve(_ channel: SocketChannel) async {
        let end = SocketEnd(channel.channel)
        // What fails here is the connection, and then there is nobody to tell.
        try? await channel.executeThenClose { inbound, outbound in
            guard let session else { return end.close(.noSession) }
            await withTaskCancellationHandler {
                await talk(SocketLines(inbound, outbound, end), outbound, session, end)
            } onCancel: {
                end.close(.goingAway)
            }
            end.close(.goingAway)
        }
    }

    /// Ends as soon as the page goes, its session ends, or it does not take a ping.
    private func talk(
        _ lines: SocketLines,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        _ session: Int,
        _ end: SocketEnd
    ) async {
        let (page, sessions, pause) = (context.page, context.sessions, context.times.ping)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await page.talk(lines) { line in
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: line)))
                }
            }
            group.addTask {
                for await _ in sessions.end(of: session) {}
                if !Task.isCancelled { end.close(.noSession) }
            }
            group.addTask {
                let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
                while (try? await Task.sleep(for: pause)) != nil, (try? await outbound.write(ping)) != nil {}
            }
            await group.next()
            group.cancelAll()
        }
    }
}
