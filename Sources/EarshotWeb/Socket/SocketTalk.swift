import NIOCore
import NIOWebSocket

typealias SocketChannel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

/// A page that opens a WebSocket with a session.
struct SocketGuest: Sendable {
    /// The number of the page's session.
    let session: Int
    /// The proofs that both sides give before any other message.
    let proof: SocketProof
}

/// The exchange with a page on its WebSocket, from its first message to its last.
struct SocketTalk {
    let context: WebContext
    /// The page; nil if it has no session.
    ///
    /// A browser reports this to the page only through a close code.
    let guest: SocketGuest?

    func serve(_ channel: SocketChannel) async {
        let end = SocketCloser(channel.channel)
        // An error here is an error of the connection, so there is no client to report it to.
        try? await channel.executeThenClose { inbound, outbound in
            guard let guest else { return end.close(.noSession) }
            let opening = ByteBuffer(bytes: guest.proof.opening)
            try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: opening))
            await withTaskCancellationHandler {
                let lines = SocketLines(inbound, outbound, end, after: guest.proof) { [sessions = context.sessions] in
                    sessions.noteUse(of: guest.session)
                }
                await talk(lines, outbound, guest, end)
            } onCancel: {
                end.close(.goingAway)
            }
            end.close(.goingAway)
        }
    }

    /// Serves the page until it closes the socket, does not prove its secret in time, its session ends, or it takes no
    /// ping.
    private func talk(
        _ lines: SocketLines,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        _ guest: SocketGuest,
        _ end: SocketCloser
    ) async {
        let (page, sessions, times) = (context.page, context.sessions, context.times)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await page.talk(lines, endOthers: { sessions.endAll(but: guest.session) }) { line in
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: line)))
                }
            }
            group.addTask {
                for await _ in sessions.end(of: guest.session) {}
                if !Task.isCancelled { end.close(.noSession) }
            }
            group.addTask {
                guard await guest.proof.isGiven(within: times.proof) else {
                    if !Task.isCancelled { end.close(.noSession) }
                    return
                }
                let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
                while (try? await Task.sleep(for: times.ping)) != nil, (try? await outbound.write(ping)) != nil {
                    sessions.endExpired()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
