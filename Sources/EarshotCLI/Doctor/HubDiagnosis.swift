import GatewayCore
import MeshDoctor
import MeshGateway

/// The findings about hubs.
enum HubDiagnosis {
    private static let hub = Finding.Cause("hub", in: .hub)

    /// Examines all hubs of a data directory, at the same time.
    ///
    /// - Parameter authorities: A file with authorities of the hubs' certificates, besides those of the system.
    static func findings(of home: HomeDirectory, authorities: String?) async -> [Finding] {
        let hubs: [HubURL]
        do {
            hubs = try HubList(in: home).hubs
        } catch {
            return [
                .problem(
                    Finding.Cause("hubList", in: .hub),
                    "hub",
                    CommandFailure(error).message,
                    why: "No node of this data directory starts with a list that it cannot read.",
                    mend:
                        "Correct that line. `earshot hub add` writes such lines, with --hub-proxy that of the proxy too."
                )
            ]
        }
        return await withTaskGroup { group in
            for (place, hub) in hubs.enumerated() {
                group.addTask { (place, await finding(HubConnection(to: hub, authorities: authorities))) }
            }
            var findings: [(Int, Finding)] = []
            for await finding in group { findings.append(finding) }
            return findings.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Examines a hub.
    static func finding(_ connection: HubConnection) async -> Finding {
        var random = SystemRandomNumberGenerator()
        do {
            return finding(connection.hub, try await connection.result(of: Canary(for: connection.hub, using: &random)))
        } catch {
            return finding(connection.hub, error as? HubError ?? .lost(connection.hub))
        }
    }

    /// Returns the finding about a hub that works.
    static func finding(_ hub: HubURL, _ outcome: Canary.Outcome) -> Finding {
        if let hours = outcome.clockHours { return finding(hub, .clock(hub, hours: hours)) }
        let milliseconds = Int((outcome.roundTrip / .milliseconds(1)).rounded(.up))
        let what = "The hub delivers mail and keeps it, in \(outcome.stream). It answers in \(milliseconds) ms."
        return .ok(Self.hub, hub.description, what)
    }

    /// Returns the finding about a hub that does not.
    static func finding(_ hub: HubURL, _ error: HubError) -> Finding {
        let cause = Finding.Cause(error.code.rawValue, in: .hub)
        return .problem(cause, hub.description, error.what, why: error.why, mend: error.mend)
    }
}
