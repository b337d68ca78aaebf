import MeshCore
import NIOCore

/// The end of one stream's pipeline: it passes the datagrams to the node.
///
/// It runs on the node's own event loop, so it enters the actor without a hop.
final class StreamReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let node: MeshNode
    private let place: StreamPlace.Number
    private let opening: UInt64
    private var frames = StreamFrames()

    /// - Parameter opening: The opening of the place's stream, so that late datagrams of an older one do not count.
    init(node: MeshNode, place: StreamPlace.Number, opening: UInt64) {
        self.node = node
        self.place = place
        self.opening = opening
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            let datagrams = try frames.take(unwrapInboundIn(data))
            node.assumeIsolated { [place, opening] node in
                node.receive(datagrams, byStreamAt: place, opening: opening)
            }
        } catch {
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A stream of which one half has ended is of no use.
        if let event = event as? ChannelEvent, event == .inputClosed || event == .outputClosed {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
