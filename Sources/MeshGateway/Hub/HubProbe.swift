import NIOCore
import NIOPosix

/// Finds out why a hub cannot be reached; the NATS library does not say it.
enum HubProbe {
    /// Resolves the name, connects to the port, and returns the reason for which that fails.
    static func reason(_ hub: HubURL) async -> HubError {
        do {
            let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .connectTimeout(.milliseconds(HubLimits.connectMilliseconds))
                .connect(host: hub.host, port: Int(hub.port)).get()
            try? await channel.close()
            return .unreachable(hub, "it is no NATS server")
        } catch let error as NIOConnectionError {
            guard let first = error.connectionErrors.first else { return .name(hub) }
            return .unreachable(hub, reason(of: first.error))
        } catch {
            return .unreachable(hub, reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: HubText.shown(String(cString: strerror(error.errnoCode))).lowercasedFirst
        case ChannelError.connectTimeout: "nothing came in \(HubLimits.connectMilliseconds / 1_000) s"
        default: HubText.shown("\(error)")
        }
    }
}

extension String {
    /// The text with a small first letter.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
