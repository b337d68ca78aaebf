import Logging
package import MeshCore
import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension MeshNode {
    /// The interval at which the node asks the system for its interfaces.
    private static let monitoringInterval = TimeAmount.seconds(1)
    /// The delay from a notice to the look at the interfaces, because several notices come together.
    private static let noticeDelay = TimeAmount.milliseconds(20)
    /// The number of attempts to open a taken port, and the time between two of them.
    private static let portTrialCount = 10
    private static let portTrialInterval = TimeAmount.milliseconds(50)

    // MARK: Starting and stopping

    /// Throws for a configuration that could never work.
    func checkConfiguration() throws(MeshTransportError) {
        for name in configuration.interfaces where if_nametoindex(name) == 0 {
            throw MeshTransportError(.noSuchInterface, reason: "there is no interface \(name)")
        }
        if configuration.useMulticast, configuration.groups.contains(where: { $0.port == configuration.port }) {
            throw MeshTransportError(.portUnavailable, reason: "\(configuration.port) is the port of a discovery group")
        }
        try checkCarriers()
    }

    /// Opens the interface-less sockets, if the configuration needs them.
    func openRoutedSockets() async throws(MeshTransportError) {
        guard configuration.opensRoutedSockets else { return }
        for family in [AddressFamily.v4, .v6] {
            let interface = LocalInterface.routed(family)
            attachments[interface.id] = Attachment(interface: interface)
            try await openRoutedSocket(interface.id)
        }
    }

    /// Opens one interface-less socket, and waits a moment for a port that is taken: while this process starts another
    /// one, that one holds a copy of every socket, also of one that a stopped node has just closed.
    private func openRoutedSocket(_ id: InterfaceID) async throws(MeshTransportError) {
        for trial in 1... {
            do {
                return try openSockets(on: id)
            } catch  where error.errnoCode == EADDRINUSE && trial < Self.portTrialCount {
                try? await eventLoop.scheduleTask(in: Self.portTrialInterval) {}.futureResult.get()
            } catch  where [EADDRINUSE, EACCES].contains(error.errnoCode) {
                throw MeshTransportError(
                    .portUnavailable,
                    reason: "port \(configuration.port) is taken or forbidden",
                    cause: error
                )
            } catch {
                return retryLater(id, after: error)
            }
        }
    }

    /// Looks at the interfaces now, every second, and whenever the system says that something has changed.
    func startMonitoring() {
        // Without notices, a second is late enough to notice a change and early enough to bear the delay.
        notices = try? InterfaceNotices.open(for: self)
        monitoring = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.monitoringInterval,
            delay: Self.monitoringInterval
        ) { _ in
            self.assumeIsolated {
                $0.checkInterfaces()
                $0.announceAgain()
                $0.closeUnusedStreams()
                // After a sleep of the machine, this comes sooner than a timer that slept with it.
                $0.handle(.tick)
                $0.reportMetrics()
            }
        }
        checkInterfaces()
        reportMetrics()
    }

    /// Handles a notice that interfaces or addresses have changed.
    func noticeArrived() {
        guard monitoring != nil, !isNoticePending else { return }
        isNoticePending = true
        eventLoop.scheduleTask(in: Self.noticeDelay) {
            self.assumeIsolated {
                $0.isNoticePending = false
                if $0.monitoring != nil { $0.checkInterfaces() }
            }
        }
    }

    /// Closes every socket and waits until they are closed.
    func closeEverything() async {
        monitoring?.cancel()
        monitoring = nil
        lookingUp?.cancel()
        lookingUp = nil
        var channels = attachments.values.compactMap(\.sockets).flatMap(\.channels)
        for attachment in attachments.values { attachment.retry?.cancel() }
        attachments = [:]
        if let channel = try? await notices?.get() { channels.append(channel) }
        for channel in channels {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
        await closeStreams()
    }

    // MARK: Interfaces

    private func checkInterfaces() {
        do {
            let changes = monitor.update(try LocalInterface.current())
            for change in changes {
                switch change {
                case .up(let interface):
                    attachments[interface.id] = Attachment(interface: interface)
                    openOrRetry(interface.id)
                case .down(let id):
                    closeSockets(on: id)
                    attachments.removeValue(forKey: id)?.retry?.cancel()
                }
            }
            if !changes.isEmpty { lookUpStaticPeers() }
        } catch {
            logger.debug("cannot list interfaces", metadata: ["error": "\(error)"])
        }
    }

    private func openOrRetry(_ id: InterfaceID) {
        do {
            try openSockets(on: id)
        } catch {
            retryLater(id, after: error)
        }
    }

    private func retryLater(_ id: InterfaceID, uptime: Duration = .zero, after error: IOError) {
        guard var attachment = attachments[id] else { return }
        attachment.sender = nil
        let delay = attachment.backoff.delay(afterUptime: uptime)
        attachment.retry = eventLoop.scheduleTask(in: .nanoseconds(delay.wholeNanoseconds)) {
            self.assumeIsolated {
                $0.statistics.reopenings += 1
                $0.openOrRetry(id)
            }
        }
        attachments[id] = attachment
        logger.debug(
            "sockets failed",
            metadata: ["interface": "\(id.index)", "family": "\(id.family)", "error": "\(error)"]
        )
    }

    // MARK: Sockets

    /// Opens the sockets of one interface; the engine is told when all are ready.
    private func openSockets(on id: InterfaceID) throws(IOError) {
        guard var attachment = attachments[id] else { return }
        let interface = attachment.interface
        let groups = groups(on: interface)
        let unicast = try openUnicastSocket(attachment)
        attachment.sender = DatagramSender(descriptor: try unicast.duplicate())
        let listeners = try groups.map { group throws(IOError) in try MulticastSockets.open(group, on: interface) }
        openingCount += 1
        let opening = openingCount
        attachment.opening = opening
        attachments[id] = attachment
        let channels =
            [unicast.channel(to: self, on: id, opening: opening, reading: unicast.joinArrivals() ? .joined : .single)]
            + listeners.map { $0.channel(to: self, on: id, opening: opening, reading: .multicast) }
        let destinations = groups.map { SocketAddress($0.address, port: $0.port, onInterface: id.index) }
        EventLoopFuture.whenAllComplete(channels, on: eventLoop).whenSuccess { results in
            self.assumeIsolated { $0.socketsOpened(results, on: id, opening: opening, destinations: destinations) }
        }
    }

    private func groups(on interface: LocalInterface) -> [MulticastGroup] {
        guard configuration.useMulticast, interface.canHearGroups else { return [] }
        return configuration.groups.filter { $0.address.family == interface.id.family }
    }

    private func openUnicastSocket(_ attachment: Attachment) throws(IOError) -> SystemSocket {
        let interface = attachment.interface
        if let address = interface.address { return try UnicastSockets.open(address, on: interface.id) }
        let device = configuration.interfaces.first
        let family = interface.id.family
        guard configuration.port == 0, attachment.lastPort != 0,
            let same = try? UnicastSockets.openRouted(family, port: attachment.lastPort, device: device)
        else { return try UnicastSockets.openRouted(family, port: configuration.port, device: device) }
        return same
    }

    private func socketsOpened(
        _ results: [Result<any Channel, any Error>],
        on id: InterfaceID,
        opening: UInt64,
        destinations: [SocketAddress]
    ) {
        let channels = results.compactMap { try? $0.get() }
        guard var attachment = attachments[id], attachment.opening == opening else {
            channels.forEach { $0.close(promise: nil) }
            return
        }
        guard channels.count == results.count, let unicast = channels.first else {
            channels.forEach { $0.close(promise: nil) }
            return retryLater(id, after: IOError(errnoCode: EBADF, reason: "registration"))
        }
        let sockets = OpenSockets(
            unicast: unicast,
            groups: Array(channels.dropFirst()),
            destinations: destinations,
            since: clock.now
        )
        attachment.sockets = sockets
        attachment.lastPort = sockets.port ?? 0
        attachment.cannotSend = false
        attachments[id] = attachment
        announce(id)
    }

    /// Handles the end of a socket that the node did not close, as after a read error.
    func socketsFailed(on id: InterfaceID, opening: UInt64) {
        guard let attachment = attachments[id], attachment.opening == opening else { return }
        let uptime = attachment.sockets?.since.duration(to: clock.now) ?? .zero
        closeSockets(on: id)
        retryLater(id, uptime: uptime, after: IOError(errnoCode: ENOTCONN, reason: "channel closed"))
    }

    /// Closes the unicast socket of one interface, as if it had failed; all its other sockets then close too.
    ///
    /// For tests.
    package func failSockets(on id: InterfaceID) {
        attachments[id]?.sockets?.unicast.close(promise: nil)
    }

    private func closeSockets(on id: InterfaceID) {
        guard let sockets = attachments[id]?.sockets else { return }
        attachments[id]?.sockets = nil
        attachments[id]?.sender = nil
        attachments[id]?.opening = 0
        sockets.channels.forEach { $0.close(promise: nil) }
        handle(.interfaceDown(id))
    }
}

extension LocalInterface {
    /// Returns the placeholder for no interface in particular: the system's routing decides.
    fileprivate static func routed(_ family: AddressFamily) -> LocalInterface {
        LocalInterface(
            id: InterfaceID(index: 0, family: family),
            name: "",
            isLoopback: false,
            isMulticast: false,
            isPrivate: false,
            prefixes: []
        )
    }
}
