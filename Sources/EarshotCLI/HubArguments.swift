import ArgumentParser
import Foundation
import GatewayCore
import MeshGateway

/// A hub as an argument, and how it proves who it is.
struct HubArguments: ParsableArguments {
    /// The environment variable with the password of a hub, for scripts.
    static let variable = "EARSHOT_HUB_PASSWORD"

    @Argument(
        help: ArgumentHelp(
            "The hub, such as tls://USER@hub.example.org. The password of USER is asked, or taken from \(variable).",
            valueName: "URL"
        )
    )
    var url: String

    @Option(
        help: ArgumentHelp(
            "A file with an authority of the hub's certificate, besides those of the system.",
            valueName: "FILE"
        )
    )
    var hubCa: String?

    @Option(help: HubProxyArgument.help)
    var hubProxy: HubProxyArgument?

    @Flag(help: "Allow nats:// outside of private networks, although others can read and change what is sent.")
    var hubInsecure = false

    /// Prepares a connection to the hub, asking for a missing password.
    ///
    /// Without the option it goes by the proxy of the data directory, if that has one.
    func connection(in home: HomeDirectory) throws -> HubConnection {
        let proxy = try hubProxy.map(\.proxy) ?? HubList(in: home).proxy
        return HubConnection(to: try address().reached(by: proxy), authorities: hubCa)
    }

    /// Returns the address of the hub, asking for a missing password.
    func address() throws -> HubURL {
        var hub = try HubURL(url, allowsClearText: hubInsecure)
        if let user = hub.user, hub.password == nil {
            let given = ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
            guard given != nil || Passphrase.canAsk else {
                throw CommandFailure(.usage, "Give the password of \(user) by \(Self.variable).")
            }
            hub.password = try given ?? Passphrase.ask("Password of \(user) at \(hub)")
        }
        return hub
    }
}

extension HubConnection {
    /// Connects, runs a job, and closes the connection.
    func result<Job: HubJob>(of job: Job) async throws -> Job.Outcome {
        let result: Result<Job.Outcome, HubError>
        do throws(HubError) {
            try await open()
            result = .success(try await run(job))
        } catch {
            result = .failure(error)
        }
        close()
        return try result.get()
    }
}
