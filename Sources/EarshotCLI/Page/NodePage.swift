import Earshot
import EarshotMedia
import EarshotRPC
import EarshotWeb

/// The node for the server of its page.
struct NodePage: PageNode {
    let node: ChatNode
    /// The function that is called when a browser has used an address of the page.
    let onUse: @Sendable () -> Void

    func talk(
        _ lines: SocketLines,
        endOthers: @escaping @Sendable () -> Void,
        _ write: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async {
        // No method of the page can end the node.
        let session = RPCSession(
            node: node,
            sink: Sink(send: write),
            access: .page,
            endPage: { endOthers() },
            onShutdown: {}
        )
        await session.serve(lines)
    }

    func send(_ parameters: [UInt8], _ files: [FileDraft]) async -> PageAnswer {
        let answer = await RPCDispatcher(node: node).send(parameters, files)
        return PageAnswer(isDone: answer.isDone, json: answer.json)
    }

    func json(of error: ChatError) -> [UInt8] { RPCDispatcher.json(of: RPCError(error)) }

    func code(of text: String, byteCount: Int) -> [[Bool]]? {
        guard let code = QRCode(text, byteCount: byteCount) else { return nil }
        return (0..<code.edge).map { row in (0..<code.edge).map { code[$0, row] } }
    }

    func tokenUsed() { onUse() }

    private struct Sink: LineSink {
        let send: @Sendable ([UInt8]) async throws -> Void

        func write(_ line: [UInt8]) async throws { try await send(line) }
    }
}
