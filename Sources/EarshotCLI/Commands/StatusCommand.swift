import ArgumentParser
import EarshotRPC
import Foundation
import GatewayCore

/// Shows the status of the node.
struct StatusCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the state of the node.")

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        try await home.withNode { caller in
            let status = try await caller.call(StatusCall())
            let output = StatusOutput(status: status, metrics: try await caller.call(MetricsCall()))
            let isRunning = caller is RPCClient
            let hubs = isRunning ? status.hubs?.map(\.address) : try? HubList(in: home.directory).hubs.map(\.text)
            let unshared = await UnsharedHubs(of: caller, hubs: hubs ?? [])
            try console.result(output, lines(status, home, unshared, isRunning: isRunning))
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

    private func lines(
        _ status: StatusReply,
        _ home: HomeAccess,
        _ unshared: UnsharedHubs,
        isRunning: Bool
    ) -> [String] {
        var table = Table()
        table.add("Name", status.name)
        table.add("Peer id", status.id)
        table.add("Fingerprint", status.fingerprint)
        table.add("Data directory", home.directory.url.path)
        table.add(
            "Node",
            isRunning ? "running for \(TimeText.span(seconds: status.uptime))" : "not running"
        )
        if status.locked { table.add("Locked", "yes; run `earshot unlock`") }
        if status.revoked == true { table.add("Identity", "revoked; `earshot trust rotate` makes a new one") }
        table.add("Links", "\(status.links) of \(status.neighbours) neighbours")
        table.add("Contacts", "\(status.contacts)")
        table.add("Outbox", "\(status.outbox)")
        table.add("Carried", "\(status.carried)")
        table.add(
            "Delivery",
            status.carrying
                ? "\(status.delivery): direct messages are carried; relays see which nodes exchange messages"
                : "\(status.delivery): direct messages are posted; no relay learns the recipient"
        )
        for hub in status.hubs ?? [] { table.add("Hub", Self.line(hub)) }
        if status.hubs == nil {
            table.add(
                "Far",
                status.gateway.map { "by a gateway in this network, heard \(TimeText.span(seconds: Double($0))) ago" }
                    ?? "off"
            )
        }
        for note in unshared.notes { table.add("Note", note) }
        let sizes = [status.mediaBytes, status.mediaLimit].map { FileProgress.size(Int(clamping: $0)) }
        table.add("Attachments", "\(sizes[0]) of at most \(sizes[1])")
        if status.tampering > 0 { table.add("History", "changed by another program: run `earshot history check`") }
        table.add("Version", status.version)
        return table.lines
    }

    /// Returns the line of a hub: its state, its counts, and what to do about it.
    private static func line(_ hub: HubReply) -> String {
        let age = max(0, Date.now.timeIntervalSince1970 - Double(hub.since) / 1_000)
        let state =
            switch hub.state {
            case "live": "connected for \(TimeText.span(seconds: age))"
            case "checking", "catchingUp": "connected, fetching mail"
            case "waiting": "not connected, tried again soon"
            case "refused": "refused, tried again within an hour"
            default: "connecting"
            }
        let trip = hub.rtt.map { ", \(Int($0.rounded(.up))) ms" } ?? ""
        let waiting = hub.waiting.map { ", \($0) waiting" } ?? ""
        let counts = "\(hub.tags) tags, \(hub.sent) sent, \(hub.fetched) fetched\(waiting)"
        return "\(hub.host): \(state)\(trip), \(counts)" + (hub.advice.map { ". \($0)" } ?? "")
    }
}
