import GatewayCore
import MeshDoctor

/// The findings about hubs.
enum HubDiagnosis {
    private static let hub = Finding.Cause("hub", in: .hub)

    /// Returns the finding about a hub that works.
    static func finding(_ hub: HubURL, _ outcome: Canary.Outcome) -> Finding {
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
