import NIOCore
import NIOPosix

/// Finds out why a hub cannot be reached; the NATS library does not say it.
enum HubProbe {
    /// Resolves the name, connects to the port, and returns the reason for which that fails.
    ///
    /// - Parameter words: The words of the library, if all of that works.
    static func reason(_ hub: HubURL, _ words: String) async -> HubError {
        do {
            let channel = try await ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .connectTimeout(.nanoseconds(Int64(HubLimits.connectTime / .nanoseconds(1))))
                .connect(host: hub.host, port: Int(hub.port)).get()
            try? await channel.close()
            return .unreachable(hub, words)
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
        case ChannelError.connectTimeout: HubText.silence
        default: HubText.shown("\(error)")
        }
    }
}

extension String {
    /// The text with a small first letter.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
