import EarshotRPC
import Foundation

/// The data directory of an identity and its history.
struct HomeDirectory: Sendable, Equatable {
    let url: URL

    /// Finds the home that the options or the environment name.
    init(_ global: GlobalOptions, environment: [String: String] = ProcessInfo.processInfo.environment) {
        func named(_ variable: String) -> String? {
            environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = global.home ?? named("EARSHOT_HOME") {
            url = URL(fileURLWithPath: path, isDirectory: true)
        } else if let data = named("XDG_DATA_HOME"), data.hasPrefix("/") {
            url = URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent("earshot", isDirectory: true)
        } else {
            let user = named("HOME").map { URL(fileURLWithPath: $0, isDirectory: true) }
            url = (user ?? FileManager.default.homeDirectoryForCurrentUser)
                .appendingPathComponent(".local/share/earshot", isDirectory: true)
        }
    }

    /// The socket that a node of this home serves.
    var socketPath: String { url.appendingPathComponent("rpc.sock").path }

    /// Connects to the node that runs on this home; nil if none runs.
    func connect() async throws(RPCServerError) -> RPCClient? {
        do {
            return try await RPCClient.connect(to: SocketPath(socketPath))
        } catch {
            switch error.code {
            // No node can serve a path that is too long for a socket.
            case .nobodyThere, .pathTooLong: return nil
            case .alreadyServed, .notASocket, .foreignUser, .system: throw error
            }
        }
    }
}
