import Foundation
import GatewayCore
import NIOCore
import NIOPosix
import NIOSOCKS

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
        guard !call.hub.isOnion || call.hub.proxy != nil else { throw .onion(call.hub) }
        let tls = try await HubTLS.context(authorities: call.authorities)
        let (host, port) = call.hub.proxy.map { ($0.host, $0.port) } ?? (call.hub.host, call.hub.port)
        do {
            let channel = try await ClientBootstrap(group: call.opened.futureResult.eventLoop)
                .connectTimeout(patience)
                // Reading begins when the wire is there.
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: host, port: Int(port))
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
                    if call.hub.proxy != nil {
                        let target = SOCKSClientHandler(targetAddress: call.hub.place)
                        try channel.pipeline.syncOperations.addHandler(target)
                    }
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
        if let proxy = hub.proxy { return .proxy(proxy, proxyReason(of: error, hub)) }
        switch error {
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first else { return .name(hub) }
            return .unreachable(hub, reason(of: first.error))
        default: return .unreachable(hub, reason(of: error))
        }
    }

    private static func proxyReason(of error: any Error, _ hub: HubURL) -> String {
        switch error {
        case let error as SOCKSError.ConnectionFailed: "refused \(hub.endpoint): \(error.reply.words)"
        case let error as NIOConnectionError:
            "does not answer: \(error.connectionErrors.first.map { reason(of: $0.error) } ?? "its name is not known")"
        case is IOError, is ChannelError: "does not answer: \(reason(of: error))"
        default: "is none for SOCKS5 without a login"
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

extension HubURL {
    /// The destination that a proxy is given: a name as such, so that the proxy resolves it.
    fileprivate var place: SOCKSAddress {
        guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else {
            return .domain(host, port: Int(port))
        }
        return .address(address)
    }
}

extension SOCKSServerReply {
    /// The reply in words of RFC 1928.
    fileprivate var words: String {
        switch self {
        case .notAllowed: "its rules do not allow it"
        case .networkUnreachable: "network unreachable"
        case .hostUnreachable: "host unreachable"
        case .refused: "connection refused"
        case .ttlExpired: "no answer in time"
        default: "it has failed"
        }
    }
}

extension String {
    /// The text with a small first letter.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
