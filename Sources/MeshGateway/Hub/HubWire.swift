import GatewayCore
import NIOCore
import NIOSSL
import NIOTLS

/// Requests on their way to a hub.
struct HubBatch: Sendable {
    let requests: [HubRequest]
    /// The number of the question 0.
    let first: UInt64
    /// Units: bytes that the backlog counts for them.
    let byteCount: Int
}

/// One connection to a hub, at the end of its channel: the thin shell of a session, with its times and its limits.
final class HubWire: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HubBatch
    typealias OutboundOut = ByteBuffer

    /// The parts that outlive the wire.
    struct Surroundings {
        let hub: HubURL
        let tls: NIOSSLContext
        let times: HubTimes
        let inbox: HubInbox
        /// The number of the connection in the inbox.
        let number: UInt
        let backlog: HubBacklog
        /// Fulfilled once the hub has let this program in; failed earlier, it ends the attempt.
        let opened: EventLoopPromise<HubRole>
        /// The moment at which the hub must have let this program in.
        let deadline: NIODeadline
    }

    private let around: Surroundings
    private var session: HubSession
    private var decoder = NATSDecoder()
    private var encryption: NIOSSLClientHandler?
    private var isEnded = false
    /// Whether the inbox is too full for more.
    private var isHeld = false
    private var unansweredPings = 0
    /// The end of the time to open, then the next sign of life.
    private var alarm: Scheduled<Void>?
    /// The pieces that the hub has yet to read, and the last moment at which it read one.
    private var unreadPieces = 0
    private var lastReading = NIODeadline.now()
    private var writeAlarm: Scheduled<Void>?

    init(_ around: Surroundings) {
        var random = SystemRandomNumberGenerator()
        self.around = around
        session = HubSession(with: around.hub, using: &random)
    }

    // MARK: - Life

    func handlerAdded(context: ChannelHandlerContext) {
        let silence = HubError.unreachable(around.hub, HubText.silence)
        alarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: around.deadline) {
            self.end(silence, context)
        }
        around.opened.futureResult.assumeIsolated().whenFailure { _ in self.end(.lost(self.around.hub), context) }
        context.channel.setOption(.autoRead, value: true).assumeIsolated().whenFailure { _ in
            self.end(silence, context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(.lost(around.hub), context) }

    func channelInactive(context: ChannelHandlerContext) {
        end(session.isOpen ? .lost(around.hub) : .ended(around.hub), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !session.isOpen else { return end(.lost(around.hub), context) }
        let failure = HubTLS.failure(error, of: encryption, at: around.hub)
        end(failure ?? .connecting(around.hub, error), context)
    }

    /// Ends the connection, for the first reason that comes.
    private func end(_ reason: HubError, _ context: ChannelHandlerContext) {
        guard !isEnded else { return }
        isEnded = true
        alarm?.cancel()
        writeAlarm?.cancel()
        if session.isOpen { around.inbox.close(around.number, reason) } else { around.opened.fail(reason) }
        context.close(promise: nil)
    }

    // MARK: - Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnded else { return }
        decoder.append(unwrapInboundIn(data).readableBytesView)
        if !isHeld { drain(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    /// Reads more from the hub, unless the inbox is too full.
    func read(context: ChannelHandlerContext) {
        if isHeld {
            drain(context)
            context.flush()
        }
        if !isHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, !isEnded {
            send(session.enter(), context)
            context.flush()
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Carries out what has come, until the inbox is too full.
    private func drain(_ context: ChannelHandlerContext) {
        let channel = context.channel
        do {
            while !isEnded {
                isHeld = session.isOpen && around.inbox.holdsBack(around.number) { channel.read() }
                guard !isHeld, let operation = try decoder.next() else { return }
                if let effect = try session.take(operation) { try carryOut(effect, context) }
            }
        } catch {
            end(error as? HubError ?? .violation(around.hub), context)
        }
    }

    private func carryOut(_ effect: HubSession.Effect, _ context: ChannelHandlerContext) throws {
        switch effect {
        case .event(let event): around.inbox.add(event, of: around.number)
        case .alive: unansweredPings = 0
        case .send(let bytes):
            guard around.backlog.add(bytes.count) else { return end(.lost(around.hub), context) }
            send(bytes, of: bytes.count, context)
        case .secure:
            guard decoder.waitingByteCount == 0 else { throw NATSViolation() }
            let encryption = try HubTLS.handler(around.tls, for: around.hub)
            self.encryption = encryption
            try context.pipeline.syncOperations.addHandler(encryption, position: .before(self))
        case .opened(let role):
            alarm?.cancel()
            scheduleSign(context)
            around.opened.succeed(role)
        }
    }

    // MARK: - Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let batch = unwrapOutboundIn(data)
        var encoder = NATSEncoder()
        if !isEnded {
            for request in batch.requests {
                session.write(request, from: batch.first, to: &encoder)
                if encoder.bytes.count >= HubLimits.chunkByteCount { send(encoder.take(), context) }
            }
        }
        send(encoder.take(), of: batch.byteCount, context)
        promise?.succeed()
    }

    /// Writes bytes, and notices when the hub has read them.
    ///
    /// - Parameter byteCount: The count that the backlog loses then.
    private func send(_ bytes: [UInt8], of byteCount: Int = 0, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        if unreadPieces == 0 { lastReading = .now() }
        unreadPieces += 1
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.unreadPieces -= 1
            self.lastReading = .now()
            self.around.backlog.remove(byteCount)
        }
        context.write(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: promise)
        if writeAlarm == nil, !isEnded { watchWriting(context) }
    }

    private func watchWriting(_ context: ChannelHandlerContext) {
        let end = lastReading + around.times.write
        writeAlarm = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) {
            self.writeAlarm = nil
            guard self.unreadPieces > 0, !self.isEnded else { return }
            guard self.lastReading + self.around.times.write > .now() else {
                return self.end(.lost(self.around.hub), context)
            }
            self.watchWriting(context)
        }
    }

    private func scheduleSign(_ context: ChannelHandlerContext) {
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: around.times.ping) {
            self.giveSign(context)
        }
    }

    private func giveSign(_ context: ChannelHandlerContext) {
        // The answers of a hub that is read no further cannot be seen.
        if !isHeld {
            var encoder = NATSEncoder()
            encoder.ping()
            guard unansweredPings < HubLimits.pingCount, around.backlog.add(encoder.bytes.count) else {
                return end(.lost(around.hub), context)
            }
            unansweredPings += 1
            send(encoder.bytes, of: encoder.bytes.count, context)
            context.flush()
        }
        scheduleSign(context)
    }
}
