import ArgumentParser
import EarshotRPC
import Foundation

/// Shows the status of the node.
struct StatusCommand: FaceCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show how the node is doing.")

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        try await home.withNode { caller in
            let status = try await caller.call(StatusCall())
            let output = StatusOutput(status: status, metrics: try await caller.call(MetricsCall()))
            try console.result(output, lines(status, home, isRunning: caller is RPCClient))
        }
    }

    /// The status in JSON: the fields of the method `status`, and the answer of `metrics`.
    private struct StatusOutput: Encodable {
        let status: StatusReply
        let metrics: MetricsReply

        private enum CodingKeys: CodingKey {
            case metrics
        }

        func encode(to encoder: any Encoder) throws {
            try status.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(metrics, forKey: .metrics)
        }
    }

    private func lines(_ status: StatusReply, _ home: HomeAccess, isRunning: Bool) -> [String] {
        var table = Table()
        table.add("Name", status.name)
        table.add("Peer id", status.id)
        table.add("Fingerprint", status.fingerprint)
        table.add("Home", home.directory.url.path)
        table.add(
            "Node",
            isRunning ? "running for \(TimeText.span(seconds: status.uptime))" : "not running"
        )
        if status.locked { table.add("Locked", "yes; `earshot unlock` opens it") }
        if status.revoked == true { table.add("Identity", "revoked; `earshot trust rotate` goes on under a new one") }
        table.add("Links", "\(status.links) of \(status.neighbours) neighbours")
        table.add("Contacts", "\(status.contacts)")
        table.add("Outbox", "\(status.outbox)")
        table.add("Carried", "\(status.carried)")
        let sizes = [status.mediaBytes, status.mediaLimit].map { FileProgress.size(Int(clamping: $0)) }
        table.add("Files", "\(sizes[0]) of at most \(sizes[1])")
        if status.tampering > 0 { table.add("History", "changed by something else: see `earshot history check`") }
        table.add("Version", status.version)
        return table.lines
    }
}
