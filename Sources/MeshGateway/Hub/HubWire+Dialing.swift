import Foundation
import GatewayCore
import NIOCore
import NIOPosix

extension HubWire {
    /// The values that a connection needs to be opened.
    struct Call: Sendable {
        let hub: HubURL
        let authorities: String?
        let times: HubTimes
        let inbox: HubInbox
        let number: UInt
        let backlog: HubBacklog
        /// Fulfilled once the hub has let this program in; failed earlier, it ends the attempt.
        let opened: EventLoopPromise<HubRole>
    }

    /// Resolves the name of a hub, connects, and logs in.
    ///
    /// - Throws: The reason why that failed; `unreachable` at the end of the time.
    static func open(_ call: Call) async throws(HubError) -> (any Channel, HubRole) {
        let patience = TimeAmount.nanoseconds(Int64(call.times.connect / .nanoseconds(1)))
        let deadline = NIODeadline.now() + patience
        let tls = try await HubTLS.context(authorities: call.authorities)
        do {
            let channel = try await ClientBootstrap(group: call.opened.futureResult.eventLoop)
                .connectTimeout(patience)
                // Reading begins when the wire is there.
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: call.hub.host, port: Int(call.hub.port))
                .flatMapThrowing { channel in
                    let around = Surroundings(
                        hub: call.hub,
                        tls: tls,
                        times: call.times,
                        inbox: call.inbox,
                        number: call.number,
                        backlog: call.backlog,
                        opened: call.opened,
                        deadline: deadline
                    )
                    try channel.pipeline.syncOperations.addHandler(HubWire(around))
                    return channel
                }
                .get()
            return (channel, try await call.opened.futureResult.get())
        } catch {
            throw error as? HubError ?? .connecting(call.hub, error)
        }
    }
}

extension HubError {
    /// Returns the failure that an error of the network stands for.
    static func connecting(_ hub: HubURL, _ error: any Error) -> HubError {
        switch error {
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else { return .name(hub) }
            return .unreachable(hub, reason(of: first.error))
        default: return .unreachable(hub, reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: HubText.shown(String(cString: strerror(error.errnoCode))).lowercasedFirst
        case ChannelError.connectTimeout: HubText.silence
        default: HubText.shown("\(error)")
        }
    }
}

extension String {
    /// The text with a small first letter.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
