import NIOCore
import NIOHTTP1
import Synchronization

/// The state whether the server expects data of a client: the rest of a body, or an answer to a ping.
final class Expectation: Sendable {
    private let state = Mutex(true)

    /// Whether the server expects data.
    var isOpen: Bool { state.withLock { $0 } }

    /// Notes that no more data is expected.
    func end() { state.withLock { $0 = false } }
}

/// A handler that closes a connection if its request head is too long or too slow, or if the client neither sends the
/// expected data nor takes the answer.
///
/// While the node itself works on a request, no time runs.
final class ConnectionClock: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    private let headTime: TimeAmount
    private let idleTime: TimeAmount
    private let expectation: Expectation
    private var gate = HeadGate()
    private var isRefused = false
    private var unsentCount = 0
    private var lastMove = NIODeadline.now()
    private var timer: Scheduled<Void>?

    init(_ times: WebTimes, _ expectation: Expectation) {
        headTime = TimeAmount(times.head)
        idleTime = TimeAmount(times.idle)
        self.expectation = expectation
    }

    func handlerAdded(context: ChannelHandlerContext) {
        schedule(in: headTime, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        lastMove = .now()
        let wasComplete = gate.isComplete
        guard gate.takes(unwrapInboundIn(data).readableBytesView) else {
            isRefused = true
            let refusal = ByteBuffer(string: WebResponse.refusal(.requestHeaderFieldsTooLarge))
            let sent = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(NIOAny(refusal), promise: sent)
            sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            return
        }
        if gate.isComplete, !wasComplete { schedule(in: idleTime, context) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if unsentCount == 0 { lastMove = .now() }
        unsentCount += 1
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in
            self.unsentCount -= 1
            self.lastMove = .now()
        }
        context.write(data, promise: sent)
    }

    private func schedule(in time: TimeAmount, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        guard gate.isComplete else { return context.close(promise: nil) }
        guard unsentCount > 0 || expectation.isOpen else { return schedule(in: idleTime, context) }
        let quietTime = NIODeadline.now() - lastMove
        guard quietTime < idleTime else { return context.close(promise: nil) }
        schedule(in: idleTime - quietTime, context)
    }
}
