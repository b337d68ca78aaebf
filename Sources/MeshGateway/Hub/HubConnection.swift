package import GatewayCore
import NIOCore
import NIOPosix

/// A connection to a hub, by the protocol of NATS.
///
/// It never reconnects by itself: the answers that were under way are lost then, and its owner must ask again. The
/// connection puts what arrives into `inbox`.
package actor HubConnection {
    /// The hub.
    package nonisolated let hub: HubURL
    nonisolated let inbox = HubInbox()
    private let authorities: String?
    private let times: HubTimes
    private var channel: (any Channel)?
    /// The promise of an attempt to connect.
    private var opening: EventLoopPromise<HubRole>?
    private var backlog = HubBacklog()
    /// The number of the present connection, or of the attempt at one.
    private var number: UInt = 0
    /// The number of the next question.
    private var nextNumber: UInt64 = 1

    /// Prepares a connection.
    ///
    /// - Parameters:
    ///   - authorities: A file in PEM form with certificates from which the hub's may descend, besides those of the
    ///     system.
    ///   - patience: The time that the hub may take to let this program in.
    package init(to hub: HubURL, authorities: String? = nil, patience: Duration? = nil) {
        var times = HubTimes()
        if let patience { times.connect = patience }
        self.init(to: hub, authorities: authorities, times: times)
    }

    init(to hub: HubURL, authorities: String? = nil, times: HubTimes) {
        self.hub = hub
        self.authorities = authorities
        self.times = times
    }

    isolated deinit { close() }

    /// The reason why the connection ended.
    package nonisolated var loss: HubError { inbox.loss ?? .lost(hub) }

    /// Connects, and closes an earlier connection.
    ///
    /// - Returns: The part that the server has in its hub.
    /// - Throws: The reason, with what to do about it.
    @discardableResult
    package func open() async throws(HubError) -> HubRole {
        close()
        let attempt = number
        let backlog = HubBacklog()
        let opened = NIOSingletons.posixEventLoopGroup.next().makePromise(of: HubRole.self)
        opening = opened
        inbox.follow(attempt)
        let call = HubWire.Call(
            hub: hub,
            authorities: authorities,
            times: times,
            inbox: inbox,
            number: attempt,
            backlog: backlog,
            opened: opened
        )
        // An attempt that has failed, or that a later one has replaced, is over.
        defer { opened.fail(HubError.lost(hub)) }
        let (channel, role) = try await HubWire.open(call)
        // Another call may have closed or connected meanwhile.
        guard attempt == number else {
            channel.close(promise: nil)
            throw .lost(hub)
        }
        (self.channel, self.backlog) = (channel, backlog)
        return role
    }

    /// Ends the connection; later messages of it are dropped.
    package func close() {
        number += 1
        inbox.follow(0)
        opening?.fail(HubError.lost(hub))
        opening = nil
        channel?.close(promise: nil)
        channel = nil
    }

    /// Reserves numbers for the questions of one job, so that late answers to others are not taken for its own.
    func reserveNumbers() -> UInt64 {
        defer { nextNumber += HubLimits.questionCount }
        return nextNumber
    }

    /// Sends messages; what cannot be sent shows in a missing answer.
    ///
    /// If too much waits until the hub reads it, the connection ends.
    ///
    /// - Parameter first: The number of the question 0.
    func send(_ requests: [HubRequest], from first: UInt64) {
        guard let channel else { return }
        let byteCount = requests.reduce(0) { $0 + $1.byteCount }
        guard backlog.add(byteCount) else { return channel.close(promise: nil) }
        channel.writeAndFlush(HubBatch(requests: requests, first: first, byteCount: byteCount), promise: nil)
    }
}
