import Logging
import MeshCore
import NIOCore
import NIOPosix

/// The streams of a node: those that it opens, and those that others open to the addresses on which it listens.
///
/// The core knows a stream as a static peer on an interface of its own.
extension MeshNode {
    // MARK: Starting and stopping

    /// Throws for carriers that are too many.
    func checkCarriers() throws(MeshTransportError) {
        let listenerCount = configuration.carriers.count { if case .listen = $0 { true } else { false } }
        guard listenerCount <= StreamLimits.acceptedCount,
            configuration.carriers.count - listenerCount <= StreamLimits.openedCount
        else {
            throw MeshTransportError(
                .invalidCarrier,
                reason: "a node opens \(StreamLimits.openedCount) streams at most, and listens on "
                    + "\(StreamLimits.acceptedCount) addresses at most; use fewer carriers"
            )
        }
    }

    /// Listens where the configuration says so.
    func openListeners() async throws(MeshTransportError) {
        for carrier in configuration.carriers {
            guard case .listen(let host, let port) = carrier else { continue }
            do {
                let address = try await NIOThreadPool.singleton.runIfActive {
                    try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
                }
                let listener = try await listen(on: address).get()
                guard !isStopped else { return listener.close(promise: nil) }
                listeners.append(listener)
            } catch {
                throw MeshTransportError(
                    .portUnavailable,
                    reason: "cannot listen on \(carrier); give an address of this machine and a TCP port that is free",
                    cause: error
                )
            }
        }
    }

    /// The reads of streams: one small one in a turn, so that no stream holds up the others and the sockets.
    private static let streamReads = FixedSizeRecvByteBufferAllocator(capacity: StreamLimits.readByteCount)

    private func listen(on address: SocketAddress) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: Int32(StreamLimits.acceptedCount))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: Self.streamReads)
            .childChannelOption(.leastUnsent, value: Int(StreamLimits.systemByteCount))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let accepted = self.assumeIsolated({ $0.accept(channel) }) else {
                        throw ChannelError.operationUnsupported
                    }
                    let receiver = StreamReceiver(node: self, place: accepted.place, opening: accepted.opening)
                    try channel.pipeline.syncOperations.addHandler(receiver)
                }
            }
            .bind(to: address)
    }

    /// Opens the streams that the configuration names.
    func openStreams() {
        let opened = configuration.carriers.filter { if case .listen = $0 { false } else { true } }
        for (number, carrier) in zip(StreamPlace.Number(0)..., opened) {
            places[number] = StreamPlace(number, carrier: carrier)
            openStream(at: number)
        }
    }

    /// Closes all streams and waits until they are closed and the commands have ended.
    func closeStreams() async {
        let (closing, channels) = (places.values, listeners + places.values.compactMap(\.channel))
        (places, listeners) = ([:], [])
        for place in closing { place.retry?.cancel() }
        for channel in channels {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
        for end in closing.compactMap({ $0.program?.end() }) { try? await end.get() }
    }

    /// Returns the TCP ports on which the node listens.
    ///
    /// For tests.
    package func listeningPorts() -> [Int] { listeners.compactMap { $0.localAddress?.port } }

    // MARK: Opening

    private func openStream(at number: StreamPlace.Number) {
        guard let carrier = places[number]?.carrier else { return }
        openingCount += 1
        let opening = openingCount
        places[number]?.opening = opening
        connect(carrier, at: number, opening: opening).hop(to: eventLoop).whenComplete { result in
            self.assumeIsolated { $0.streamOpened(result, at: number, opening: opening) }
        }
    }

    private func connect(
        _ carrier: Carrier,
        at number: StreamPlace.Number,
        opening: UInt64
    ) -> EventLoopFuture<any Channel> {
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                let receiver = StreamReceiver(node: self, place: number, opening: opening)
                try channel.pipeline.syncOperations.addHandler(receiver)
            }
        }
        switch carrier {
        case .tcp(let peer):
            return ClientBootstrap(group: eventLoop)
                .connectTimeout(.nanoseconds(StreamLimits.connectionTime.wholeNanoseconds))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: Self.streamReads)
                .channelOption(.leastUnsent, value: Int(StreamLimits.systemByteCount))
                .channelInitializer(initialize)
                .connect(host: peer.host, port: Int(peer.port))
        case .command(let command):
            do {
                let started = try CarrierProgram.start(command, on: eventLoop)
                places[number]?.program = started.program
                let (input, output) = (started.input, started.output)
                // After a failure the descriptors are closed already, unless they are no pipes.
                return NIOPipeBootstrap(group: eventLoop)
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelOption(.recvAllocator, value: Self.streamReads)
                    .channelInitializer(initialize)
                    .takingOwnershipOfDescriptors(input: input, output: output)
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
        case .listen:
            return eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
    }

    private func streamOpened(
        _ result: Result<any Channel, any Error>,
        at number: StreamPlace.Number,
        opening: UInt64
    ) {
        guard let place = places[number], place.opening == opening else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        switch result {
        case .success(let channel):
            begin(channel, at: number)
            logger.debug("stream opened", metadata: ["stream": "\(number)"])
            handle(.addStaticPeer(place.endpoint))
        case .failure(let error):
            logger.debug("stream failed", metadata: ["stream": "\(number)", "error": "\(error)"])
            openLater(at: number, uptime: .zero)
        }
    }

    /// Gives a place to a stream that another node opened; returns nil if there is none.
    private func accept(_ channel: any Channel) -> (place: StreamPlace.Number, opening: UInt64)? {
        let first = StreamPlace.Number(StreamLimits.openedCount)
        let numbers = first..<first + StreamPlace.Number(StreamLimits.acceptedCount)
        guard !isStopped, hasPlace(for: channel.remoteAddress),
            let number = numbers.first(where: { places[$0] == nil })
        else {
            logger.debug("stream refused")
            return nil
        }
        openingCount += 1
        places[number] = StreamPlace(number, carrier: nil)
        places[number]?.opening = openingCount
        begin(channel, at: number)
        logger.debug("stream accepted", metadata: ["stream": "\(number)"])
        return (number, openingCount)
    }

    /// Returns whether another machine has fewer streams here than it may have.
    private func hasPlace(for address: SocketAddress?) -> Bool {
        guard let host = address?.ipAddress, host != Carrier.localHost, host != "::1" else { return true }
        let streamCount = places.values.count { $0.carrier == nil && $0.channel?.remoteAddress?.ipAddress == host }
        return streamCount < StreamLimits.acceptedPerAddress
    }

    private func begin(_ channel: any Channel, at number: StreamPlace.Number) {
        let now = clock.now
        places[number]?.channel = channel
        places[number]?.queue = StreamQueue()
        places[number]?.hasReceived = false
        places[number]?.hadLink = false
        places[number]?.since = now
        places[number]?.linkSeen = now
        guard let opening = places[number]?.opening else { return }
        // This is deferred, because it may happen in the middle of the node's own flush.
        channel.closeFuture.whenComplete { [eventLoop] _ in
            eventLoop.execute { self.assumeIsolated { $0.streamEnded(at: number, opening: opening) } }
        }
        // The processes that a command has left in the background may hold its streams open.
        places[number]?.program?.exit.whenComplete { _ in channel.close(promise: nil) }
    }

    // MARK: Ending

    /// Closes streams that have had no link for too long, so that others get their places and dead ones are replaced.
    func closeUnusedStreams() {
        guard !places.isEmpty else { return }
        let (linked, now) = (Set(snapshot().links.map(\.endpoint)), clock.now)
        for (number, place) in places where place.channel != nil {
            if linked.contains(place.endpoint) {
                places[number]?.linkSeen = now
                places[number]?.hadLink = true
            } else if place.linkSeen.duration(to: now) >= place.patience {
                logger.debug("stream without a link", metadata: ["stream": "\(number)"])
                place.channel?.close(promise: nil)
            }
        }
    }

    /// Handles the end of a stream; one that this node opened is opened again after a wait.
    func streamEnded(at number: StreamPlace.Number, opening: UInt64) {
        guard let place = places[number], place.opening == opening, place.channel != nil else { return }
        places[number]?.channel = nil
        logger.debug("stream ended", metadata: ["stream": "\(number)"])
        handle(.removeStaticPeer(place.endpoint))
        handle(.interfaceDown(place.endpoint.interface))
        if place.carrier == nil {
            places[number] = nil
        } else {
            openLater(at: number, uptime: place.since.duration(to: clock.now))
        }
    }

    private func openLater(at number: StreamPlace.Number, uptime: Duration) {
        guard let delay = places[number]?.backoff.delay(afterUptime: uptime) else { return }
        let opening = places[number]?.opening
        let ended = places[number]?.program?.end() ?? eventLoop.makeSucceededVoidFuture()
        ended.whenComplete { _ in
            self.assumeIsolated { node in
                guard node.places[number]?.opening == opening else { return }
                node.places[number]?.program = nil
                node.places[number]?.retry = node.eventLoop.scheduleTask(in: .nanoseconds(delay.wholeNanoseconds)) {
                    self.assumeIsolated {
                        $0.statistics.reopenings += 1
                        $0.openStream(at: number)
                    }
                }
            }
        }
    }

    // MARK: Datagrams

    /// Handles the datagrams that have come together by a stream.
    func receive(_ datagrams: [ByteBuffer], byStreamAt number: StreamPlace.Number, opening: UInt64) {
        guard let place = places[number], place.opening == opening, !datagrams.isEmpty else { return }
        if !place.hasReceived {
            places[number]?.hasReceived = true
            // A command may have needed a while to reach the other node. Dials wait no longer then.
            if place.carrier != nil { handle(.interfaceUp(place.endpoint.interface, prefixes: [], unicastPort: 0)) }
        }
        for datagram in datagrams { receive(datagram, cutInto: nil, from: place.endpoint, multicast: false) }
    }

    /// Sends datagrams by a stream, as far as there is room for them.
    func send(_ datagrams: [[UInt8]], byStreamAt number: StreamPlace.Number) {
        guard let channel = places[number]?.channel, let opening = places[number]?.opening else {
            statistics.unsendable += datagrams.count
            return
        }
        let now = clock.now
        for datagram in datagrams {
            guard let frame = StreamFrames.frame(datagram, channel.allocator),
                places[number]?.queue.add(frame.readableBytes, now: now) == true
            else {
                statistics.unsendable += 1
                continue
            }
            statistics.sent += 1
            let count = frame.readableBytes
            channel.write(frame).whenComplete { _ in
                self.assumeIsolated { $0.streamTook(count, at: number, opening: opening) }
            }
        }
        statistics.sendCalls += 1
        channel.flush()
    }

    private func streamTook(_ count: Int, at number: StreamPlace.Number, opening: UInt64) {
        guard places[number]?.opening == opening else { return }
        places[number]?.queue.take(count, now: clock.now)
    }
}

extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// The bytes of a connection that the system keeps back at most before it takes no more.
    ///
    /// It is TCP_NOTSENT_LOWAT.
    fileprivate static var leastUnsent: Self {
        #if os(Linux)
            Self(level: .tcp, name: NIOBSDSocket.Option(rawValue: 25))
        #else
            Self(level: .tcp, name: NIOBSDSocket.Option(rawValue: 0x201))
        #endif
    }
}
